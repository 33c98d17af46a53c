import { setTimeout as sleep } from "node:timers/promises";
import { CliFailure, usageFailure } from "./cliFailure.js";

export interface ApiAnswer {
  readonly status: number;
  /** The parsed JSON body; null where there is none. */
  readonly body: unknown;
  /** Sent back with a read, makes it see this write. null where the answer carries none. */
  readonly consistencyToken: string | null;
}

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly consistencyToken?: string;
  /** Media type of the answer that is wanted; JSON where left out. */
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

export interface ApiClientOptions {
  /** Address of the service, such as `http://host:port`; a path is kept. */
  readonly url: string;
  /** A service-account token or a personal key. */
  readonly credential: string;
  /** Aborts every request that has no signal of its own. */
  readonly signal?: AbortSignal;
  /** Told before each wait, with what went wrong. */
  onRetry?(reason: string): void;
}

/**
 * Waits before the repeats of a request: 0.2 s doubling to 5 s, 37 s in all; each is shortened by up to a half at
 * random.
 */
const retryDelaysMs = [200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000, 5_000, 5_000, 5_000];
/** Worth another try: too many requests, and failures that pass (a 500 is safe to retry: spec, Errors). */
const passingStatuses: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/**
 * Speaks to the service's public HTTP API with one credential. Lost connections and passing failures are repeated with
 * growing waits; every request of the API may be repeated. Fails, in a sentence, where that does not help.
 */
export class ApiClient {
  constructor(private readonly options: ApiClientOptions) {}

  async request(given: ApiRequest): Promise<ApiAnswer> {
    const request = { signal: this.options.signal, ...given };
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.attempt(request);
      if (typeof outcome === "object") return outcome;
      const delayMs = retryDelaysMs[attempt];
      if (delayMs === undefined)
        throw new CliFailure(
          `The service at ${this.options.url} ${outcome}, ${attempt + 1} times in a row. Is it running there?`,
        );
      this.options.onRetry?.(outcome);
      await sleep(delayMs * (1 - Math.random() / 2), undefined, { signal: request.signal });
    }
  }

  /** The body of an answer without bounds, as it comes. Fails, in a sentence, where there is none; not repeated. */
  async stream(request: ApiRequest): Promise<AsyncIterable<Uint8Array>> {
    const signal = request.signal ?? this.options.signal;
    const response = await this.send({ ...request, signal }).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw new CliFailure(
        `The service at ${this.options.url} could not be reached (${causeOf(error)}). Is it running there?`,
      );
    });
    if (response.status === 200 && response.body !== null) return this.whole(response.body, signal);
    const answer = { status: response.status, body: parseBody(await response.text()), consistencyToken: null };
    throw response.status === 422 ? usageFailure(describeAnswer(answer)) : new CliFailure(describeAnswer(answer));
  }

  /** A connection that is cut must not pass for the end. */
  private async *whole(
    body: AsyncIterable<Uint8Array>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array, void, void> {
    try {
      yield* body;
    } catch (error) {
      signal?.throwIfAborted();
      throw new CliFailure(
        `The answer of the service at ${this.options.url} broke off (${causeOf(error)}). Run the command again.`,
      );
    }
  }

  /** An answer, or what went wrong in a way that may pass. */
  private async attempt(request: ApiRequest): Promise<ApiAnswer | string> {
    try {
      const response = await this.send(request);
      const text = await response.text();
      if (passingStatuses.has(response.status)) return `answered ${response.status}${detailIn(parseBody(text))}`;
      return {
        status: response.status,
        body: parseBody(text),
        consistencyToken: response.headers.get("x-consistency-token"),
      };
    } catch (error) {
      request.signal?.throwIfAborted();
      return `could not be reached (${causeOf(error)})`;
    }
  }

  private send({ method, path, body, consistencyToken, accept, signal }: ApiRequest): Promise<Response> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.options.credential}` };
    if (body !== undefined) headers["content-type"] = "application/json";
    if (accept !== undefined) headers["accept"] = accept;
    if (consistencyToken !== undefined) headers["x-consistency-token"] = consistencyToken;
    return fetch(this.options.url.replace(/\/+$/, "") + path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
  }
}

/** What an error answer says, in one line: the three envelopes of the API (spec: Errors). */
export function describeAnswer({ status, body }: ApiAnswer): string {
  return `The service answered ${status}${detailIn(body) || "."}`;
}

function detailIn(body: unknown): string {
  const { detail, details } = (body ?? {}) as { detail?: unknown; details?: { message?: unknown } };
  if (typeof detail === "string") return `: ${detail}`;
  if (Array.isArray(detail))
    return `: ${detail.map(({ loc, msg }) => `${(loc as unknown[]).join(".")}: ${(msg as string).replace(/^Value error, /, "")}`).join("; ")}`;
  return typeof details?.message === "string" ? `: ${details.message}` : "";
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function causeOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}
