import { Agent as HttpAgent, request as requestHttp, type IncomingMessage, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";

/** What the client hands over of a request. */
interface OutgoingRequest {
  readonly url?: string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly headers?: unknown;
  readonly data?: unknown;
}

interface IncomingAnswer<Request> {
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingMessage["headers"];
  readonly data: string;
  readonly config: Request;
}

/** A request that got no answer: the connection failed, or the deadline passed. The message is for people, without credentials. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";

  constructor(
    message: string,
    /** True where a connection that was kept open turned out to be closed: nothing was done, so it can be asked again at once. */
    readonly isStaleConnection: boolean,
  ) {
    super(message);
  }
}

/** Answers with the milliseconds that a request to this path may take, or throws where it must not be sent at all. */
export type Deadline = (path: string) => number;

/**
 * How the Typesense client sends its requests: each with a deadline of our own, imports included (the client never ends
 * those by itself), over connections that are kept open. `deadline` is asked synchronously right before sending.
 */
export function createDeadlineAdapter(deadline: Deadline) {
  const options = { keepAlive: true, maxSockets: 64, noDelay: true };
  const agents = { "http:": new HttpAgent(options), "https:": new HttpsAgent(options) };
  const send = <Request extends OutgoingRequest>(config: Request): Promise<IncomingAnswer<Request>> => {
    const url = withParameters(new URL(config.url ?? ""), config.params ?? {});
    const isSecure = url.protocol === "https:";
    const body = typeof config.data === "string" ? Buffer.from(config.data) : null;
    const request: RequestOptions = {
      method: (config.method ?? "get").toUpperCase(),
      headers: { ...plainHeaders(config.headers), ...(body === null ? {} : { "content-length": body.length }) },
      agent: isSecure ? agents["https:"] : agents["http:"],
    };
    return exchange(isSecure ? requestHttps : requestHttp, url, { request, body, config, timeoutMs: deadline(url.pathname) });
  };
  return {
    send,
    close: (): void => {
      agents["http:"].destroy();
      agents["https:"].destroy();
    },
  };
}

interface Exchange<Request> {
  readonly request: RequestOptions;
  readonly body: Buffer | null;
  readonly config: Request;
  readonly timeoutMs: number;
}

function exchange<Request>(open: typeof requestHttp, url: URL, { request, body, config, timeoutMs }: Exchange<Request>): Promise<IncomingAnswer<Request>> {
  return new Promise((resolve, reject) => {
    const sent = open(url, request, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", fail);
      answer.on("end", () => {
        clearTimeout(timer);
        const { statusCode = 0, statusMessage = "", headers } = answer;
        resolve({ status: statusCode, statusText: statusMessage, headers, data: Buffer.concat(parts).toString(), config });
      });
    });
    const timer = setTimeout(() => sent.destroy(new NoAnswer(`${url.host} did not answer within ${Math.round(timeoutMs)} ms`, false)), timeoutMs);
    function fail(error: NodeJS.ErrnoException): void {
      clearTimeout(timer);
      const isStale = sent.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
      reject(error instanceof NoAnswer ? error : new NoAnswer(`${url.host} cannot be reached (${error.code ?? error.message})`, isStale));
    }
    sent.on("error", fail);
    sent.end(body);
  });
}

function withParameters(url: URL, parameters: Readonly<Record<string, unknown>>): URL {
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  return url;
}

/** The client's headers as plain values. */
const plainHeaders = (headers: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries((headers as { toJSON?: () => object } | undefined)?.toJSON?.() ?? (headers as object | undefined) ?? {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
