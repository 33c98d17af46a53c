import { EventStoreDBClient, UnavailableError } from "@eventstore/db-client";
import { StreamsClient } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import { setTimeout as delay } from "node:timers/promises";
import { EngineUnavailable } from "../../../../projections/ports.js";
import { BatchAppends, type CallArguments } from "./batchAppends.js";
import { withTimeout } from "./deadline.js";
import { readConnectionString, type ConnectionString } from "./connectionString.js";
import { isConflict, isMissing, isRefusal, reasonOf } from "./failures.js";

/** How to reach the event store, and for how long to try. */
export interface ConnectionOptions {
  /** `esdb://…` or `esdb+discover://…`; `kurrentdb://…` is understood as well. TLS and credentials are part of it. */
  readonly url: string;
  /** How long an operation is tried before it is given up as `EngineUnavailable`; 15 s by default. */
  readonly patienceMs?: number;
}

const defaultPatienceMs = 15_000;
/**
 * How long one call waits at most (a third of the patience where that is less). Then its outcome is unknown, and the
 * call is made again.
 */
const longestCallMs = 5_000;
const firstPauseMs = 20;
const longestPauseMs = 500;

/**
 * A client with a TCP connection of its own. It finds the server, with TLS and credentials, and leads back to it. Reads
 * and appends use the connection, but not the client's code around it (ADR 10).
 */
export class Connection {
  readonly client: EventStoreDBClient;
  readonly appends: BatchAppends;
  readonly target: ConnectionString;
  private readonly patienceMs: number;
  private closed = false;
  private used = false;
  /**
   * The client's streams that the last call used: a new object where the client has found another server. Null before
   * the first call.
   */
  current: StreamsClient | null = null;
  private answeredAt = 0;

  constructor({ url, patienceMs = defaultPatienceMs }: ConnectionOptions) {
    this.target = readConnectionString(url);
    this.patienceMs = patienceMs;
    this.client = createClient(this.target);
    this.appends = new BatchAppends(this);
  }

  /** In a cluster, calls go to the leader, and the client follows when the lead moves. */
  get callOptions(): { readonly requiresLeader?: true } {
    return this.target.isCluster ? { requiresLeader: true } : {};
  }

  /**
   * Makes a call until there is an answer: a value, a conflict, a missing stream or a refusal. Anything else (a lost
   * connection, a late answer, a server that is not ready) leaves the outcome unknown, so the call is made again.
   * Throws `EngineUnavailable` when patience is at an end. Only for calls that may be repeated, and that give up by
   * themselves where nothing has come for `deadlineMs`.
   */
  async insist<Value>(what: string, call: (deadlineMs: number) => Promise<Value>): Promise<Value> {
    const { patienceMs } = this;
    const end = performance.now() + patienceMs;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      if (this.closed) throw new EngineUnavailable(`${what} failed: the connection to the event store was closed.`);
      this.used = true;
      const deadlineMs = Math.max(1, Math.min(longestCallMs, patienceMs / 3, end - performance.now()));
      try {
        return await call(deadlineMs);
      } catch (error) {
        if (isConflict(error) || isMissing(error) || isRefusal(error)) throw error;
        if (performance.now() + pauseMs >= end) throw this.unavailable(what, error);
        await delay(pauseMs);
      }
    }
  }

  /** The client's streams, for a call. Finding a cluster's leader can take a while. */
  async streams(deadlineMs: number): Promise<StreamsClient> {
    this.current = await withTimeout(
      deadlineMs,
      this.client["getGRPCClient"](StreamsClient, "streams") as Promise<StreamsClient>,
    );
    return this.current;
  }

  /**
   * The arguments of a call: the credentials and whether the leader is required. The deadline is the caller's business.
   */
  callArguments(options: { readonly requiresLeader?: true }): CallArguments {
    return this.client["callArguments"](options, { deadline: Number.POSITIVE_INFINITY });
  }

  /** Makes the client look for the server again if the failure says that the server is gone or does not lead. */
  noteFailure(streams: StreamsClient, error: Error): void {
    this.client["handleError"](streams, error).catch(() => undefined);
  }

  /** Says what was tried and why it did not work, without credentials. */
  unavailable(what: string, error: unknown): EngineUnavailable {
    return new EngineUnavailable(
      `${what} failed: the event store at ${this.target.hosts} gives no answer (${reasonOf(error)}).`,
      { cause: error },
    );
  }

  /** To be called when something has come from the server. */
  noteAnswer(): void {
    this.answeredAt = performance.now();
  }

  /**
   * To be called when nothing has come for a call since `since`. If nothing came for any other call either, the
   * connection hangs, and the server is looked for anew. (By keep-alive the client would notice after twenty seconds.)
   */
  noteSilence(streams: StreamsClient, since: number): void {
    if (this.answeredAt < since) this.noteFailure(streams, new UnavailableError());
  }

  /** Calls under way fail. Never throws. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    if (!this.used) return;
    this.appends.close();
    await withTimeout(longestCallMs, this.client.dispose()).catch(() => undefined);
    // The client has no way to end its connection: without this it stays open until the process ends.
    await withTimeout(firstPauseMs, this.client["getChannel"]()).then(
      (channel) => channel.close(),
      () => undefined,
    );
  }
}

function createClient({ text }: ConnectionString): EventStoreDBClient {
  const client = parsed(text);
  if (client instanceof EventStoreDBClient) return client;
  throw new Error(`The event store's connection string is not understood: ${client.problem}.`);
}

/** The error itself goes no further: it quotes the string, which may hold a password. */
function parsed(text: string): EventStoreDBClient | { readonly problem: string } {
  try {
    return EventStoreDBClient.connectionString(text);
  } catch (error) {
    return {
      problem: error instanceof Error && "expected" in error ? `expected ${String(error.expected)}` : reasonOf(error),
    };
  }
}
