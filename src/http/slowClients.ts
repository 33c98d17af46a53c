import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How fast clients have to be. */
export interface Patience {
  /** Within this time a request's head has to have come. */
  readonly headMs: number;
  /** A body brings at least so much in every period of `bodyPeriodMs`, as long as it is read. */
  readonly bodyBytesPerSecond: number;
  readonly bodyPeriodMs: number;
  /** How often is looked. */
  readonly checkEveryMs: number;
}

/** 128 kbit/s: an upload over a poor line is faster, also where eight share it. */
export const patience: Patience = {
  headMs: 15_000,
  bodyBytesPerSecond: 16_384,
  bodyPeriodMs: 15_000,
  checkEveryMs: 1_000,
};

interface Connection {
  request: IncomingMessage | null;
  response: ServerResponse | null;
  /** When the period began, and what had come until then. */
  since: number;
  bytes: number;
}

/**
 * Looks after clients that send a body slowly, or not at all: each holds a connection, memory and a handler. A body that
 * is not read at the moment, because it waits for memory, is not late.
 */
export class SlowClients {
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
    this.connections.set(socket, { request: null, response: null, since: 0, bytes: 0 });
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
    for (const [socket, connection] of this.connections) {
      if (this.isLate(socket, connection, now)) this.cut(socket, connection.response?.headersSent ?? false);
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
