import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Server as NetServer, type AddressInfo, type Socket } from "node:net";
import type { Duplex, Readable } from "node:stream";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import type Koa from "koa";
import { Pipelines } from "./pipelines.js";
import { patience as usualPatience, SlowClients, type Patience } from "./slowClients.js";

export interface RunningServer {
  /** `http://host:port`, with the port that was really bound. */
  readonly url: string;
  /**
   * Takes no more connections as soon as none is on its way, at the latest after half a second; finishes what is in
   * flight, and closes; after 7 seconds whatever is still open is cut. What comes meanwhile is answered, with
   * `Connection: close`. Resolves once nothing runs any more, also for clients that are gone: what serves requests can
   * be closed then.
   */
  stop(): Promise<void>;
}

const keepAliveTimeoutMs = 65_000;
/** Ends the longest wait a second before whoever has asked the process to end is told that it has not. */
const longestFinishMs = 7_000;
/** The longest query fits, also where each of its characters takes twelve bytes of an address. */
const longestHeadBytes = 262_144;
const closeIdleEveryMs = 20;
/** A request that is on its way over an idle connection would be lost with it: it is given the time to arrive. */
const graceForIdleMs = 250;
/** So long no connection has to have come before a server that ends stops listening, and at most so long it waits. */
const quietMs = 50;
const longestAcceptingMs = 500;
const lookMs = 10;
/** How long a client that was refused may take to hang up; hanging up first could lose the answer. */
const lingerMs = 2_000;

export interface ServerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** How slow clients may be; what is usual where left out. */
  readonly patience?: Patience;
}

/** Listens on `host` and `port`. Rejects where the address cannot be had. */
export async function startServer(
  app: Koa,
  { host, port, patience = usualPatience }: ServerOptions,
): Promise<RunningServer> {
  const handle = app.callback();
  const requests = new RunningRequests();
  const pipelines = new Pipelines();
  const slowClients = new SlowClients(patience, (socket, isAnswered) =>
    isAnswered ? void socket.destroy() : refuse({ status: 408, detail: tooSlow(patience) }, socket),
  );
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    slowClients.requested(request, response);
    pipelines.add(request, response, () => requests.add(response, handle(request, response)));
  };
  const server = createServer(
    {
      keepAliveTimeout: keepAliveTimeoutMs,
      maxHeaderSize: longestHeadBytes,
      headersTimeout: patience.headMs,
      // A body may take as long as it likes, as long as it keeps coming.
      requestTimeout: 0,
      connectionsCheckingInterval: patience.checkEveryMs,
      // What Node would refuse by itself is refused by the middleware, with the envelope of every other refusal.
      requireHostHeader: false,
    },
    listener,
  );
  const accepted = new AcceptedConnections();
  server.on("connection", (socket: Socket) => {
    accepted.note();
    slowClients.connected(socket);
  });
  // Whether a body is wanted is decided by the route: without this Node would ask for it at once.
  server.on("checkContinue", listener);
  server.on("checkExpectation", listener);
  server.on("clientError", refuseUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const end = (): Promise<void> => stop(server, requests, accepted).finally(() => slowClients.stop());
  return { url: urlOf(host, server.address() as AddressInfo), stop: end };
}

/** An address that this machine itself can open. */
function urlOf(host: string, { port }: AddressInfo): string {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

/** What is no HTTP never reaches a route, but gets the same envelope. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const status = error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  refuse({ status, detail: `The request could not be read: ${STATUS_CODES[status]}.` }, socket);
}

const tooSlow = ({ bodyBytesPerSecond, bodyPeriodMs }: Patience): string =>
  `The body came too slowly: at least ${bodyBytesPerSecond} bytes a second have to come, over ${bodyPeriodMs / 1_000} seconds. Nothing was done; send the request again.`;

/** Answers beside Node, and ends the connection, also where the client does not. */
function refuse({ status, detail }: { readonly status: number; readonly detail: string }, socket: Duplex): void {
  const body = JSON.stringify({ detail });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  const end = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(end));
}

/**
 * When connections come. Closing resets those that wait to be accepted, whose requests may be on their way: so a server
 * that ends goes on accepting until none has come for a moment, or for as long as that may take.
 */
class AcceptedConnections {
  count = 0;
  private lastAt = Number.NEGATIVE_INFINITY;

  note(): void {
    this.count++;
    this.lastAt = performance.now();
  }

  /** Resolves right after the system has been asked for those that wait: hardly any can have come since. */
  async quiet(): Promise<void> {
    const latest = performance.now() + longestAcceptingMs;
    // Twice, because the first turn may end before the system is asked.
    await nextTurn();
    await nextTurn();
    while (performance.now() - this.lastAt < quietMs && performance.now() < latest) {
      await delay(lookMs);
      await nextTurn();
    }
  }
}

/** What has been asked and not yet done. Every request passes here: it costs as little as can be. */
class RunningRequests {
  private readonly running = new Set<ServerResponse>();
  private areLast = false;
  private onIdle: () => void = () => undefined;

  /** `run` never rejects. */
  add(response: ServerResponse, run: Promise<void>): void {
    if (this.areLast) response.shouldKeepAlive = false;
    this.running.add(response);
    const sources: Readable[] = [];
    response.once("pipe", (source: Readable) => sources.push(source));
    const end = (): void => this.end(response);
    // An answer that is a stream goes on being made when the middleware is done, also where it fails.
    void run.then(() => {
      const [source] = sources;
      return source === undefined || source.closed ? end() : void source.once("close", end);
    });
  }

  /**
   * From here on every answer is the last on its connection, and says so: no client sends another request into a
   * closing one.
   */
  beLast(): void {
    this.areLast = true;
    for (const response of this.running) response.shouldKeepAlive = false;
  }

  /** Resolves once nothing runs. */
  async done(): Promise<void> {
    if (this.running.size > 0) await new Promise<void>((resolve) => (this.onIdle = resolve));
  }

  private end(response: ServerResponse): void {
    this.running.delete(response);
    if (this.running.size === 0) this.onIdle();
  }
}

/**
 * Where clients never pause: lets the system queue nobody else, as far as it can be told so, and accepts those that it
 * has queued. Who connects meanwhile is refused a moment later. Node has no word for it but that of its handle.
 */
async function lastInBacklog(server: Server, accepted: AcceptedConnections): Promise<void> {
  const { _handle: handle } = server as { readonly _handle?: { listen?(backlog: number): number } | null };
  if (handle?.listen?.(0) !== 0) return;
  for (let before = -1; before !== accepted.count;) {
    before = accepted.count;
    await nextTurn();
    await nextTurn();
  }
}

async function stop(server: Server, requests: RunningRequests, accepted: AcceptedConnections): Promise<void> {
  requests.beLast();
  const cut = setTimeout(() => server.closeAllConnections(), longestFinishMs);
  await accepted.quiet();
  await lastInBacklog(server, accepted);
  // Stops listening and nothing else: the close of an HTTP server cuts idle connections at once.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  let closeIdle: NodeJS.Timeout | undefined;
  const grace = setTimeout(
    () => (closeIdle = setInterval(() => server.closeIdleConnections(), closeIdleEveryMs)),
    graceForIdleMs,
  );
  await closed;
  await requests.done();
  clearTimeout(grace);
  clearInterval(closeIdle);
  clearTimeout(cut);
}
