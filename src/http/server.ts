import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Server as NetServer, type AddressInfo, type Socket } from "node:net";
import type { Duplex, Readable } from "node:stream";
import type Koa from "koa";
import { networkOf } from "../shared/network.js";
import { Shares } from "../shared/shares.js";

export interface RunningServer {
  /** `http://host:port`, with the port that was really bound. */
  readonly url: string;
  /**
   * Takes no more connections, finishes what is in flight, and closes; after 7 seconds whatever is still open is cut.
   * What comes meanwhile over an open connection is answered, with `Connection: close`. Resolves once nothing runs any
   * more, also for clients that are gone: what serves requests can be closed then.
   */
  stop(): Promise<void>;
}

/** Each takes a file descriptor and some ten kilobytes. */
const mostConnections = 8_192;

const keepAliveTimeoutMs = 65_000;
/**
 * Ends the longest wait a second before the program that has asked the process to end takes it for one that has not.
 */
const longestFinishMs = 7_000;

/** The longest query fits, also where each of its characters takes twelve bytes of an address. */
const longestHeadBytes = 262_144;

const closeIdleEveryMs = 20;
/** A request that is on its way over an idle connection would be lost with it: it is given the time to arrive. */
const graceForIdleMs = 250;

/** How long a client that was refused may take to hang up; hanging up first could lose the answer. */
const lingerMs = 2_000;

interface ServerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** How slow clients may be; what is usual where left out. */
  readonly patience?: Patience;
  /** More than none: connections are those of balancers, which see to it how many each client has. */
  readonly trustedProxies?: number;
}

/** Listens on `host` and `port`. Rejects where the address cannot be had. */
export async function startServer(
  app: Koa,
  { host, port, patience = usualPatience, trustedProxies = 0 }: ServerOptions,
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
  server.maxConnections = mostConnections;
  const connections = new Shares(mostConnections);
  server.on("connection", (socket: Socket) => {
    if (trustedProxies === 0 && !holdsConnection(connections, socket)) return void socket.destroy();
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
  const end = (): Promise<void> => stop(server, requests).finally(() => slowClients.stop());
  return { url: urlOf(host, server.address() as AddressInfo), stop: end };
}

/** Whether a client may have one more connection; it holds its share of them until this one closes. */
function holdsConnection(connections: Shares, socket: Socket): boolean {
  const held = connections.holding(networkOf(socket.remoteAddress ?? ""));
  socket.once("close", () => held.release());
  return held.grow(1);
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

/** Connections that the system has accepted and this process has not are reset: who comes in that moment asks again. */
async function stop(server: Server, requests: RunningRequests): Promise<void> {
  requests.beLast();
  const cut = setTimeout(() => server.closeAllConnections(), longestFinishMs);
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

/** Requests that may wait on one connection before no more are read from it. */
const mostWaiting = 64;

/** And on all of them, before a connection that has more than its share is cut. */
const mostWaitingInAll = 20_000;

interface Pipeline {
  isBusy: boolean;
  waiting: (() => void)[];
}

/**
 * Handles the requests of one connection one after the other: the next begins when the answer before it has been taken.
 * So a connection never holds more than one answer, however many requests its client sends ahead.
 */
class Pipelines {
  private readonly pipelines = new WeakMap<Socket, Pipeline>();
  private waitingInAll = 0;

  add({ socket }: IncomingMessage, response: ServerResponse, handle: () => void): void {
    const pipeline = this.pipelines.get(socket) ?? this.open(socket);
    const begin = (): void => {
      pipeline.isBusy = true;
      // Where it does not finish, the connection is gone.
      response.once("finish", () => this.goOn(socket, pipeline));
      handle();
    };
    if (pipeline.isBusy) this.wait(socket, pipeline, begin);
    else begin();
  }

  private open(socket: Socket): Pipeline {
    const pipeline: Pipeline = { isBusy: false, waiting: [] };
    this.pipelines.set(socket, pipeline);
    socket.once("close", () => this.forget(pipeline));
    // Node reads on after each request.
    socket.on("resume", () => {
      if (pipeline.waiting.length > mostWaiting) socket.pause();
    });
    return pipeline;
  }

  private wait(socket: Socket, pipeline: Pipeline, begin: () => void): void {
    pipeline.waiting.push(begin);
    this.waitingInAll++;
    if (pipeline.waiting.length <= mostWaiting) return;
    if (this.waitingInAll > mostWaitingInAll) socket.destroy();
    else socket.pause();
  }

  private goOn(socket: Socket, pipeline: Pipeline): void {
    pipeline.isBusy = false;
    const next = pipeline.waiting.shift();
    if (next === undefined) return;
    this.waitingInAll--;
    if (pipeline.waiting.length === mostWaiting) socket.resume();
    next();
  }

  private forget(pipeline: Pipeline): void {
    this.waitingInAll -= pipeline.waiting.length;
    pipeline.waiting = [];
  }
}

/** How fast clients have to be. */
export interface Patience {
  /** Within this time a request's head has to have come; 0: whenever. */
  readonly headMs: number;
  /** A body brings at least so much in every period of `bodyPeriodMs`, as long as it is read. */
  readonly bodyBytesPerSecond: number;
  readonly bodyPeriodMs: number;
  /** So long an answer may stand still; a long one as much longer as it takes at the rate of bodies. */
  readonly answerMs: number;
  /** What all clients together may leave unsent; beyond it those who leave most are cut. */
  readonly mostUnsentBytes: number;
  /** How often is looked. */
  readonly checkEveryMs: number;
}

/** 128 kbit/s: an upload over a poor line is faster, also where eight share it. */
export const usualPatience: Patience = {
  headMs: 15_000,
  bodyBytesPerSecond: 16_384,
  bodyPeriodMs: 15_000,
  answerMs: 30_000,
  mostUnsentBytes: 67_108_864,
  checkEveryMs: 250,
};

/** For a service whose only client is the process that has started it: how slow both are, the machine decides. */
export const endlessPatience: Patience = {
  ...usualPatience,
  headMs: 0,
  bodyBytesPerSecond: 0,
  answerMs: Number.POSITIVE_INFINITY,
  mostUnsentBytes: Number.POSITIVE_INFINITY,
};

interface Connection {
  request: IncomingMessage | null;
  response: ServerResponse | null;
  /** When the period began, and what had come until then. */
  since: number;
  bytes: number;
  /** What had been sent at the last look, and until when more has to be. */
  sent: number;
  deadline: number;
}

/**
 * Looks after clients that send a body slowly, or not at all, and after those that do not take their answers: each
 * holds a connection, memory and a handler. A body that is not read at the moment, because it waits for memory, is not
 * late.
 */
class SlowClients {
  private readonly connections = new Map<Socket, Connection>();
  private readonly checking: NodeJS.Timeout;

  /** `cut` ends a connection whose client was too slow; `answered`: the head of the answer has left. */
  constructor(
    private readonly limits: Patience,
    private readonly cut: (socket: Socket, answered: boolean) => void,
  ) {
    this.checking = setInterval(() => this.check(performance.now()), limits.checkEveryMs).unref();
  }

  connected(socket: Socket): void {
    const since = performance.now();
    this.connections.set(socket, { request: null, response: null, since, bytes: 0, sent: -1, deadline: 0 });
    socket.once("close", () => this.connections.delete(socket));
  }

  /** To be told of each request, before it is handled. */
  requested(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.connections.get(request.socket);
    if (connection === undefined) return;
    connection.request = request;
    connection.response = response;
  }

  stop(): void {
    clearInterval(this.checking);
  }

  private check(now: number): void {
    const unsent: Socket[] = [];
    for (const [socket, connection] of this.connections) {
      if (this.isLate(socket, connection, now)) this.cut(socket, connection.response?.headersSent ?? false);
      else if (this.standsStill(socket, connection, now)) this.cut(socket, true);
      else if (socket.writableLength > 0) unsent.push(socket);
    }
    this.cutLargest(unsent);
  }

  /** A piece of an answer counts as sent when all of it is. */
  private standsStill({ bytesWritten, writableLength }: Socket, connection: Connection, now: number): boolean {
    const sent = writableLength === 0 ? -1 : bytesWritten - writableLength;
    if (sent === -1 || sent !== connection.sent) {
      connection.sent = sent;
      connection.deadline = now + this.limits.answerMs + (writableLength / this.limits.bodyBytesPerSecond) * 1_000;
      return false;
    }
    return now > connection.deadline;
  }

  private cutLargest(sockets: Socket[]): void {
    let unsent = sockets.reduce((sum, { writableLength }) => sum + writableLength, 0);
    if (unsent <= this.limits.mostUnsentBytes) return;
    for (const socket of sockets.sort((one, other) => other.writableLength - one.writableLength)) {
      if (unsent <= this.limits.mostUnsentBytes) return;
      unsent -= socket.writableLength;
      this.cut(socket, true);
    }
  }

  private isLate({ bytesRead }: Socket, connection: Connection, now: number): boolean {
    const { request, since, bytes } = connection;
    const isAwaited = request !== null && !request.complete && request.readableFlowing === true;
    const hasPassed = now - since >= this.limits.bodyPeriodMs;
    if (isAwaited && !hasPassed) return false;
    connection.since = now;
    connection.bytes = bytesRead;
    return isAwaited && bytesRead - bytes < (this.limits.bodyBytesPerSecond * this.limits.bodyPeriodMs) / 1_000;
  }
}
