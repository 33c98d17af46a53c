import type { HTTPError, Options } from "ky";
import { CliFailure } from "./cliFailure.js";
import { withoutTrailing } from "../shared/texts.js";

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

interface ApiClientOptions {
  /** Address of the service, such as `http://host:port`; a path is kept. */
  readonly url: string;
  /** A service-account token or a personal key. */
  readonly credential: string;
  /** Aborts every request that has no signal of its own. */
  readonly signal?: AbortSignal;
  /** Called before each wait, with what went wrong. */
  onRetry?(reason: string): void;
}

/** A request is repeated 11 times at most: after 0.2 s doubling to 5 s, 37 s in all, shortened by a half at most. */
const mostRepeats = 11;

const delayMs = (repeat: number): number => Math.min(5_000, 200 * 2 ** (repeat - 1));
/**
 * Worth another try: what came too slowly, too many requests, and failures that pass (a 500 is safe to retry: spec,
 * Errors).
 */
const passingStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** A service that asks for more patience waits for a person to repair something. */
const longestRetryAfterSeconds = 10;

/**
 * Speaks to the service's public HTTP API with one credential. Lost connections and passing failures are repeated, as
 * soon as `Retry-After` says or with growing waits; every request of the API may be repeated. Fails, in a sentence,
 * where that does not help.
 */
export class ApiClient {
  constructor(private readonly options: ApiClientOptions) {}

  async request(given: ApiRequest): Promise<ApiAnswer> {
    const request = { signal: this.options.signal, ...given };
    let repeats = 0;
    try {
      const response = await this.send(request, wholeAnswer, {
        limit: mostRepeats,
        methods: ["get", "post", "put", "delete"],
        statusCodes: [...passingStatuses],
        delay: delayMs,
        jitter: (delay) => delay * (1 - Math.random() / 2),
        shouldRetry: async ({ error, retryCount }) => {
          if (request.signal?.aborted === true || !mayPass(error)) return false;
          repeats = retryCount;
          this.options.onRetry?.(await this.reasonOf(error));
          return undefined;
        },
      });
      return await answerOf(response);
    } catch (error) {
      request.signal?.throwIfAborted();
      if (isHttpError(error) && !passingStatuses.has(error.response.status)) return answerOf(error.response);
      const reason = await this.reasonOf(error);
      throw new CliFailure(
        repeats === mostRepeats
          ? `The service at ${this.options.url} ${reason}, ${repeats + 1} times in a row. ${adviceOn(error)}`
          : `The service ${reason}`,
      );
    }
  }

  /** The body of an answer without bounds, as it comes; an answer where the status is not 200. Not repeated. */
  async stream(given: ApiRequest): Promise<AsyncIterable<Uint8Array> | ApiAnswer> {
    const request = { signal: this.options.signal, ...given };
    try {
      const response = await this.send(request, fetch, { limit: 0 });
      return this.whole(response.body ?? noBytes(), request.signal);
    } catch (error) {
      request.signal?.throwIfAborted();
      if (isHttpError(error)) return answerOf(error.response);
      throw new CliFailure(
        `The service at ${this.options.url} could not be reached (${causeOf(error)}). Is it running there?`,
      );
    }
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

  private async send(request: ApiRequest, fetching: typeof fetch, retry: Options["retry"]): Promise<Response> {
    const { method, path, body, consistencyToken, accept, signal } = request;
    // It loads all of `fetch`, which neither help nor a server has a use for.
    const { default: ky } = await import("ky");
    return ky(withoutTrailing(this.options.url, "/") + path, {
      method,
      fetch: fetching,
      retry,
      timeout: false,
      headers: { authorization: `Bearer ${this.options.credential}`, accept, "x-consistency-token": consistencyToken },
      ...(body !== undefined && { json: body }),
      ...(signal !== undefined && { signal }),
    });
  }

  private async reasonOf(error: unknown): Promise<string> {
    if (!isHttpError(error)) return `could not be reached (${causeOf(error)})`;
    return `answered ${error.response.status}${detailIn((await answerOf(error.response)).body)}`;
  }
}

/** A connection that is cut while the answer comes is a failure of the request, and repeated as one. */
const wholeAnswer: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const text = await response.text();
  return new Response(text === "" ? null : text, response);
};

async function* noBytes(): AsyncGenerator<Uint8Array, void, void> {}

const adviceOn = (error: unknown): string =>
  isHttpError(error) && error.response.status === 408
    ? "The machine or the network is too busy to send a request in time: run the command again when they have less to do."
    : "Is it running there?";

/** Whether there was an answer, one that is no success. */
const isHttpError = (error: unknown): error is HTTPError => error instanceof Error && error.name === "HTTPError";

/** Whether a request that failed like this is worth another try. */
function mayPass(error: Error): boolean {
  if (!isHttpError(error)) return true;
  const { status, headers } = error.response;
  return (
    passingStatuses.has(status) && !(status === 503 && Number(headers.get("retry-after")) > longestRetryAfterSeconds)
  );
}

async function answerOf(response: Response): Promise<ApiAnswer> {
  return {
    status: response.status,
    body: parseBody(await response.text()),
    consistencyToken: response.headers.get("x-consistency-token"),
  };
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

/** A service that is well answers in milliseconds; a person should know within five seconds. */
const patienceMs = 4_500;

/**
 * Fails, in a sentence and soon, where no service answers at the address: a wrong one is not worth the patience with
 * which requests are repeated while a service starts again.
 */
export async function ensureReachable(
  url: string,
  signal: AbortSignal,
  { withinMs = patienceMs }: { readonly withinMs?: number } = {},
): Promise<void> {
  const timeout = AbortSignal.timeout(withinMs);
  try {
    const answer = await fetch(`${withoutTrailing(url, "/")}/health/live`, {
      signal: AbortSignal.any([signal, timeout]),
    });
    await answer.body?.cancel();
  } catch (error) {
    signal.throwIfAborted();
    const reason = timeout.aborted ? `nothing came in ${withinMs / 1_000} seconds` : causeOf(error);
    throw new CliFailure(`No service answers at ${url} (${reason}). Is it running there, and is the address right?`);
  }
}

/** Why a request was not answered, as the system calls it, such as `ECONNREFUSED`. */
function causeOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}
