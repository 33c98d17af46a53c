import type { Agent, Dispatcher } from "undici";
import {
  type ModelSign,
  type ModelUpstream,
  type Prompt,
  type UpstreamModel,
  UpstreamFailure,
} from "../../chat/ports/modelUpstream.js";
import { readAnswer, toWire } from "./answer.js";
import { parsed, refusedBy, unreached } from "./troubles.js";
import { withoutTrailing } from "../../shared/texts.js";

export interface OpenAiUpstreamOptions {
  readonly name: string | null;
  /** The base that ends in `/v1`. */
  readonly url: string;
  /** null: the server asks for none. */
  readonly apiKey: string | null;
  /** For so long the server may say nothing, before its answer and in it. */
  readonly timeoutMs: number;
}

const mostListBytes = 8_388_608;
const mostErrorBytes = 65_536;

/** A server that speaks OpenAI's protocol: chat completions as a stream, and the list of models. */
export class OpenAiUpstream implements ModelUpstream {
  readonly name: string | null;
  private agent: Promise<Agent> | null = null;

  constructor(private readonly options: OpenAiUpstreamOptions) {
    this.name = options.name;
  }

  async list(signal: AbortSignal): Promise<readonly UpstreamModel[]> {
    const { statusCode, headers, body } = await this.request({ method: "GET", path: "/models", signal });
    const text = await textOf(body, mostListBytes, signal);
    if (statusCode !== 200) throw refusedBy(statusCode, this.withoutKey(text), headerOf(headers, "retry-after"));
    const models = toUpstreamModels(parsed(text));
    if (models === null) throw new UpstreamFailure("broken", "The model's server answered with no list of models.");
    return models;
  }

  async *ask(prompt: Prompt, signal: AbortSignal): AsyncGenerator<ModelSign, void, void> {
    const request = { method: "POST", path: "/chat/completions", signal, json: toWire(prompt) } as const;
    const { statusCode, headers, body } = await this.request(request);
    if (statusCode !== 200) {
      const said = this.withoutKey(await textOf(body, mostErrorBytes, signal));
      throw refusedBy(statusCode, said, headerOf(headers, "retry-after"));
    }
    // A body that is destroyed before its end emits an error, which nobody needs.
    body.on("error", () => undefined);
    try {
      yield* readAnswer(body, headerOf(headers, "content-type") ?? "", (text) => this.withoutKey(text));
    } catch (error) {
      if (error instanceof UpstreamFailure) throw error;
      signal.throwIfAborted();
      throw unreached(error, true);
    } finally {
      // A caller that stops reading wants no more of the answer.
      body.destroy();
    }
  }

  /** Some servers repeat the key that they were sent, and the person who asked sees what they say. */
  private withoutKey(said: string): string {
    const { apiKey } = this.options;
    return apiKey === null ? said : said.replaceAll(apiKey, "…");
  }

  /** Ends what is under way, and every connection. */
  async close(): Promise<void> {
    await (await this.agent)?.destroy();
  }

  private async request({
    method,
    path,
    signal,
    json,
  }: {
    readonly method: "GET" | "POST";
    readonly path: string;
    readonly signal: AbortSignal;
    readonly json?: object;
  }): Promise<Dispatcher.ResponseData> {
    const { url, apiKey } = this.options;
    const { origin, pathname, search } = new URL(url);
    signal.throwIfAborted();
    try {
      return await (
        await this.opened()
      ).request({
        ...{ origin, path: `${withoutTrailing(pathname, "/")}${path}${search}`, method, signal },
        headers: {
          accept: json === undefined ? "application/json" : "text/event-stream",
          ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
          ...(json !== undefined && { "content-type": "application/json" }),
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      });
    } catch (error) {
      signal.throwIfAborted();
      throw unreached(error, false);
    }
  }

  /** Loaded when it is first asked: the start needs none of it. */
  private opened(): Promise<Agent> {
    const { timeoutMs } = this.options;
    return (this.agent ??= import("./connections.js").then(({ openConnections }) => openConnections(timeoutMs)));
  }
}

const headerOf = (headers: Dispatcher.ResponseData["headers"], name: string): string | null => {
  const value = headers[name];
  return value === undefined ? null : Array.isArray(value) ? (value[0] ?? null) : value;
};

/** The text of a short body; what is longer is cut. */
async function textOf(body: AsyncIterable<unknown>, mostBytes: number, signal: AbortSignal): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > mostBytes) break;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw unreached(error, false);
  }
  return Buffer.concat(pieces).toString();
}

const mostModels = 2_000;
/** What servers call the length of the context, and their names for how many tokens fit. */
const contextFields = ["context_length", "max_model_len", "context_window", "max_context_length", "context_tokens"];

/** The models of `GET /models`; null where it is no list. What has no id is left out. */
export function toUpstreamModels(answer: unknown): readonly UpstreamModel[] | null {
  const data = (answer as { readonly data?: unknown } | null | undefined)?.data;
  if (!Array.isArray(data)) return null;
  return data.slice(0, mostModels).flatMap((entry: unknown) => {
    if (typeof entry !== "object" || entry === null) return [];
    const model = entry as Readonly<Record<string, unknown>>;
    const { id, created } = model;
    if (typeof id !== "string" || id === "") return [];
    const context = contextFields.map((name) => model[name]).find((value) => typeof value === "number" && value > 0);
    return [
      {
        id,
        created: typeof created === "number" && created > 0 ? Math.floor(created) : 0,
        contextTokens: typeof context === "number" ? Math.floor(context) : null,
        takesImages: takesImages(model),
      },
    ];
  });
}

/** OpenRouter's `architecture.input_modalities`, or the same beside the id. */
function takesImages(model: Readonly<Record<string, unknown>>): boolean {
  const { architecture, input_modalities: own, modalities } = model;
  const nested = (architecture as { readonly input_modalities?: unknown } | null | undefined)?.input_modalities;
  return [nested, own, modalities].some((list) => Array.isArray(list) && list.includes("image"));
}
