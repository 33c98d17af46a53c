import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

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
export const patience: Patience = {
  headMs: 15_000,
  bodyBytesPerSecond: 16_384,
  bodyPeriodMs: 15_000,
  answerMs: 30_000,
  mostUnsentBytes: 67_108_864,
  checkEveryMs: 250,
};

/** For a service whose only client is the process that has started it: how slow both are, the machine decides. */
export const endlessPatience: Patience = {
  ...patience,
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
 * Looks after clients that send a body slowly, or not at all, and after those that do not take their answers: each holds
 * a connection, memory and a handler. A body that is not read at the moment, because it waits for memory, is not late.
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
