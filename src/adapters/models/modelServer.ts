import type { Agent } from "undici";
import type { UpstreamFailure } from "../../chat/ports/modelUpstream.js";
import { boundedBody } from "../../shared/network.js";
import { ModelServerFailure, type ModelCallTrouble } from "../../shared/modelCalls.js";
import { parsed, unreached } from "./troubles.js";
import { withoutTrailing } from "../../shared/texts.js";

interface ModelServerOptions {
  /** The base of its routes, or the route itself. */
  readonly url: string;
  /** The last part of the route's path. */
  readonly route: string;
  /** null: the server asks for none. */
  readonly apiKey: string | null;
  /** An answer that is not whole by then is none. */
  readonly timeoutMs: number;
}

/**
 * With what status servers refuse a text that is too long for them, among other things. 500: some fail over a text of
 * which their model makes numbers that are none, and only over that (https://github.com/ollama/ollama/issues/12921).
 */
const aboutTheText: ReadonlySet<number> = new Set([400, 413, 422, 500]);

const mostBytes = 67_108_864;

/** A route of a model's server that takes JSON and answers with JSON. */
export class ModelServer {
  private readonly agent: Promise<Agent>;
  private readonly closing = new AbortController();

  constructor(private readonly options: ModelServerOptions) {
    // At once: loading it is not to count against the first question's time.
    this.agent = import("./connections.js").then(({ openConnections }) => openConnections(options.timeoutMs));
  }

  /** Throws {@link ModelServerFailure} where no JSON comes in time. */
  async post(question: object): Promise<unknown> {
    const deadline = AbortSignal.timeout(this.options.timeoutMs);
    const signal = AbortSignal.any([deadline, this.closing.signal]);
    try {
      return await this.ask(JSON.stringify(question), signal);
    } catch (error) {
      if (error instanceof ModelServerFailure) throw error;
      if (deadline.aborted) throw new ModelServerFailure("timeout", "It gave no answer in time.");
      if (signal.aborted) throw new ModelServerFailure("unreachable", "The service ends.");
      throw toFailure(unreached(error, false));
    }
  }

  /** Ends what is under way, and every connection. */
  async close(): Promise<void> {
    this.closing.abort();
    await (await this.agent).destroy();
  }

  private async ask(question: string, signal: AbortSignal): Promise<unknown> {
    const { apiKey } = this.options;
    const agent = await this.agent;
    signal.throwIfAborted();
    const { statusCode, body } = await agent.request({
      ...{ ...this.address(), method: "POST", signal, body: question },
      headers: {
        ...{ accept: "application/json", "content-type": "application/json" },
        ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
      },
    });
    if (statusCode !== 200) {
      await body.dump();
      const trouble = aboutTheText.has(statusCode) ? "rejected" : "refused";
      throw new ModelServerFailure(trouble, `It answered with status ${statusCode}.`);
    }
    const value = parsed(await textOf(body));
    if (value === undefined) throw malformed("It answered with what is no JSON.");
    return value;
  }

  private address(): { readonly origin: string; readonly path: string } {
    const { url, route } = this.options;
    const { origin, pathname, search } = new URL(url);
    const base = withoutTrailing(pathname, "/");
    return { origin, path: `${base.endsWith(`/${route}`) ? base : `${base}/${route}`}${search}` };
  }
}

/** What a server says that does not keep to the protocol. */
export const malformed = (sentence: string): ModelServerFailure => new ModelServerFailure("malformed", sentence);

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of boundedBody(body, mostBytes, () => malformed("It answered with too much.")))
    parts.push(part);
  return Buffer.concat(parts).toString();
}

const troubles: { readonly [Trouble in UpstreamFailure["trouble"]]?: ModelCallTrouble } = {
  silent: "timeout",
  broken: "malformed",
};

const toFailure = ({ trouble, message }: UpstreamFailure): ModelServerFailure =>
  new ModelServerFailure(troubles[trouble] ?? "unreachable", message);
