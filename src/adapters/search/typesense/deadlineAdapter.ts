import { Agent as HttpAgent, request as requestHttp, type IncomingMessage, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { urlToHttpOptions } from "node:url";

/** The part of a request that the client hands over. */
interface OutgoingRequest {
  readonly url?: string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly headers?: unknown;
  readonly data?: unknown;
}

interface IncomingAnswer<Request> extends PlainAnswer {
  readonly config: Request;
}

/**
 * A request that got no answer: the connection failed, or the deadline passed. The message is for people, without
 * credentials.
 */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";

  constructor(
    message: string,
    /**
     * True where a connection that was kept open turned out to be closed: nothing was done, so the request can be
     * repeated at once.
     */
    readonly isStaleConnection: boolean,
  ) {
    super(message);
  }
}

/** Returns how many milliseconds a request to this path may take, or throws where it must not be sent at all. */
export type Deadline = (path: string) => number;

/** An answer with its whole body. */
interface PlainAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingMessage["headers"];
  readonly data: string;
}

/**
 * How requests are sent to Typesense: over connections that are kept open, each with a deadline of our own, imports
 * included (the client never ends those by itself). `deadline` is asked synchronously right before sending.
 */
export function createDeadlineAdapter(deadline: Deadline) {
  const options = { keepAlive: true, maxSockets: 64, noDelay: true };
  const agents = { "http:": new HttpAgent(options), "https:": new HttpsAgent(options) };
  const openers = { "http:": requestHttp, "https:": requestHttps };
  const protocolOf = (url: URL): "http:" | "https:" => (url.protocol === "https:" ? "https:" : "http:");
  return {
    /** The client takes this in place of its axios. */
    send: async <Request extends OutgoingRequest>(config: Request): Promise<IncomingAnswer<Request>> => {
      const url = withParameters(new URL(config.url ?? ""), config.params ?? {});
      const protocol = protocolOf(url);
      const method = (config.method ?? "get").toUpperCase();
      const request: RequestOptions = {
        ...urlToHttpOptions(url),
        method,
        headers: plainHeaders(config.headers),
        agent: agents[protocol],
      };
      const answer = await exchange(openers[protocol], {
        request,
        body: config.data,
        host: url.host,
        timeoutMs: deadline(url.pathname),
      });
      return { ...answer, config };
    },
    /** Posts JSON to always the same place, bypassing the client. */
    poster: (url: URL, headers: Readonly<Record<string, string>>): ((json: string) => Promise<PlainAnswer>) => {
      const protocol = protocolOf(url);
      const request: RequestOptions = { ...urlToHttpOptions(url), method: "POST", headers, agent: agents[protocol] };
      return (json) =>
        exchange(openers[protocol], { request, body: json, host: url.host, timeoutMs: deadline(url.pathname) });
    },
    close: (): void => {
      agents["http:"].destroy();
      agents["https:"].destroy();
    },
  };
}

interface Exchange {
  readonly request: RequestOptions;
  /** Sent where it is a text. */
  readonly body: unknown;
  /** For messages. */
  readonly host: string;
  readonly timeoutMs: number;
}

function exchange(open: typeof requestHttp, { request, body, host, timeoutMs }: Exchange): Promise<PlainAnswer> {
  const bytes = typeof body === "string" ? Buffer.from(body) : null;
  const headers = bytes === null ? request.headers : { ...request.headers, "content-length": bytes.length };
  return new Promise((resolve, reject) => {
    const sent = open({ ...request, headers } as RequestOptions, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", fail);
      answer.on("end", () => {
        clearTimeout(timer);
        const { statusCode = 0, statusMessage = "", headers: received } = answer;
        resolve({ status: statusCode, statusText: statusMessage, headers: received, data: textOf(parts) });
      });
    });
    const timer = setTimeout(
      () => sent.destroy(new NoAnswer(`${host} did not answer within ${Math.round(timeoutMs)} ms`, false)),
      timeoutMs,
    );
    function fail(error: NodeJS.ErrnoException): void {
      clearTimeout(timer);
      const isStale = sent.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
      reject(
        error instanceof NoAnswer
          ? error
          : new NoAnswer(`${host} cannot be reached (${error.code ?? error.message})`, isStale),
      );
    }
    sent.on("error", fail);
    sent.end(bytes);
  });
}

const textOf = (parts: readonly Buffer[]): string =>
  (parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)).toString();

function withParameters(url: URL, parameters: Readonly<Record<string, unknown>>): URL {
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  return url;
}

/** The client's headers as plain values. */
const plainHeaders = (headers: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(
      (headers as { toJSON?: () => object } | undefined)?.toJSON?.() ?? (headers as object | undefined) ?? {},
    ).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
