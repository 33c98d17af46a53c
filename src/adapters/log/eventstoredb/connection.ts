import { EventStoreDBClient, UnavailableError } from "@eventstore/db-client";
import { StreamsClient } from "@eventstore/db-client/generated/streams_grpc_pb.js";
import { setTimeout as delay } from "node:timers/promises";
import { EngineUnavailable } from "../../../../projections/ports.js";
import { BatchAppends, type CallArguments } from "./batchAppends.js";
import { withinDeadline, isConflict, isMissing, isRefusal, reasonOf } from "./failures.js";
import { withoutTrailing } from "../../../shared/texts.js";

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
 * and appends use the connection, but not the client's code around it (docs/design/log.md).
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
    this.current = await withinDeadline(
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
    await withinDeadline(longestCallMs, this.client.dispose()).catch(() => undefined);
    // The client has no way to end its connection: without this it stays open until the process ends.
    await withinDeadline(firstPauseMs, this.client["getChannel"]()).then(
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

/** What has to be known of a connection string before the client reads it. */
interface ConnectionString {
  /** The string as the client understands it, with a keep-alive interval that only this connection has. */
  readonly text: string;
  /** Hosts and ports without credentials, for error messages. */
  readonly hosts: string;
  /** True for several nodes, of which one leads. */
  readonly isCluster: boolean;
}

const example =
  "esdb://host:2113?tls=false, esdb://user:password@host:2113 or esdb+discover://user:password@cluster:2113";

const scheme = /^(?:esdb|kurrentdb|kurrent|kdb)(\+discover)?:\/\//;
const defaultKeepAliveMs = 10_000;
/** The first node that is asked for the leader may hang. */
const gossipTimeoutSeconds = 2;

/** Names in lower case, without `_` and `-`, as the client compares them. */
const knownOptions = new Set([
  "connectionname",
  "defaultdeadline",
  "discoveryinterval",
  "gossiptimeout",
  "keepaliveinterval",
  "keepalivetimeout",
  "maxdiscoverattempts",
  "nodepreference",
  "tls",
  "tlscafile",
  "tlsverifycert",
  "throwonappendfailure",
  "usercertfile",
  "userkeyfile",
]);

let connections = 0;

/**
 * Checks what the client would warn about while quoting the whole string, password included, or would accept to our
 * harm. Knows the newer names of the scheme. Throws an Error whose sentence names no credentials.
 *
 * The keep-alive interval differs by a millisecond for each connection of a process. gRPC lets channels with equal
 * settings share a TCP connection and its flow-control window. One subscription that waits for its projection can use
 * that window up, and every other call on it would wait as well.
 */
function readConnectionString(given: string): ConnectionString {
  const trimmed = given.trim();
  const match = scheme.exec(trimmed);
  if (match === null)
    throw new Error(
      `The event store's connection string must begin with esdb:// or kurrentdb://, for example ${example}.`,
    );
  const rest = withoutTrailing(trimmed.slice(match[0].length), "/");
  const afterCredentials = rest.slice(rest.lastIndexOf("@") + 1);
  const credentials = rest.slice(0, rest.length - afterCredentials.length);
  const [hosts = "", query] = afterCredentials.split(/\/?\?(.*)/s);
  if (hosts === "") throw new Error(`The event store's connection string names no host. For example: ${example}.`);
  if (credentials !== "" && !/^[^:]+:[^@]+@$/.test(credentials)) {
    throw new Error(
      "The user in the event store's connection string must be written user:password@, with special characters percent-encoded.",
    );
  }
  const options = readOptions(query ?? "");
  const keepAlive = (options.keepAliveMs ?? defaultKeepAliveMs) + ++connections;
  const text = `${schemeFor(hosts, match[1])}://${credentials}${hosts}?${[...withGossipTimeout(options.kept), `keepAliveInterval=${keepAlive}`].join("&")}`;
  return { text, hosts, isCluster: match[1] !== undefined || hosts.includes(",") };
}

/**
 * When the client is told to discover, it asks only the first of several hosts for the leader; otherwise it asks each
 * of them.
 */
const schemeFor = (hosts: string, discover = ""): string => `esdb${hosts.includes(",") ? "" : discover}`;

const withGossipTimeout = (options: readonly string[]): readonly string[] =>
  options.some((option) => /^gossip[_-]?timeout=/i.test(option))
    ? options
    : [...options, `gossipTimeout=${gossipTimeoutSeconds}`];

function readOptions(query: string): { readonly kept: readonly string[]; readonly keepAliveMs?: number } {
  const kept: string[] = [];
  let keepAliveMs: number | undefined;
  for (const option of query.split("&").filter((part) => part !== "")) {
    const [name = "", value = ""] = option.split(/=(.*)/s);
    const flat = name.trim().toLowerCase().replaceAll(/[_-]/g, "");
    if (!knownOptions.has(flat) || value === "")
      throw new Error(`The event store's connection string has an unknown option or one without a value: ${name}.`);
    if (flat === "tlsverifycert" && value === "false") {
      throw new Error(
        "tlsVerifyCert=false is not supported: name the certificate's authority with tlsCAFile, or use tls=false on a trusted network.",
      );
    }
    if (flat === "throwonappendfailure" && value === "false")
      throw new Error("throwOnAppendFailure=false is not supported: the client then reports wrong revisions.");
    if (flat === "keepaliveinterval") keepAliveMs = readKeepAlive(value);
    else kept.push(`${name.trim()}=${value}`);
  }
  return { kept, ...(keepAliveMs !== undefined && { keepAliveMs }) };
}

/** Without keep-alive a frozen server is never noticed; the client warns below ten seconds. */
function readKeepAlive(value: string): number {
  const milliseconds = Number(value);
  if (Number.isInteger(milliseconds) && milliseconds >= defaultKeepAliveMs) return milliseconds;
  throw new Error(
    `keepAliveInterval must be at least ${defaultKeepAliveMs} milliseconds: it is how a server that hangs is noticed.`,
  );
}
