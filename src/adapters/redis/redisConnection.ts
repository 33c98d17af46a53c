import { createClient, ErrorReply, RESP_TYPES, type RedisArgument } from "redis";
import { createHash } from "node:crypto";
import { withTimeout } from "../../shared/waiting.js";

/** Where a Redis is, and which keys in it are ours. */
export interface RedisOptions {
  /** `redis://` or, over TLS, `rediss://`, with user, password and database number. */
  readonly url: string;
  /** Prefix of all keys, so that tenants can share a Redis. */
  readonly namespace: string;
  /** How long opening may take; 10 seconds by default. */
  readonly connectTimeoutMs?: number;
  /** How long a command may take before it is given up; 2 seconds by default. */
  readonly commandTimeoutMs?: number;
}

export type RedisCommand = readonly (string | Buffer)[];

/** The answer to a command, with texts as bytes. */
export type RedisReply = Buffer | number | null | readonly RedisReply[];

type Client = ReturnType<typeof createClientFor>;

const longestBackoffMs = 2_000;
/** Texts as bytes, hashes as lists of fields and values in turns. */
const asBytes = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer, [RESP_TYPES.MAP]: Array } };

/**
 * One connection to a Redis, made again with backoff whenever it breaks. Nothing waits for it meanwhile: a command
 * fails at once while there is no connection, and after its deadline where no answer comes. Then it is unknown whether
 * it was carried out. Commands are sent and answered in the order in which they were given.
 */
export class RedisConnection {
  private client: Client;
  private readonly listeners = new Map<string, (message: string) => void>();
  private readonly reconnected = new Set<() => void>();
  /** Deadlines of those commands under way that have more time than others. */
  private readonly patient = new Set<number>();
  private isClosed = false;
  private connections = 0;
  private lastError: Error | null = null;
  private readonly commandTimeoutMs: number;

  private constructor(private readonly options: RedisOptions) {
    this.commandTimeoutMs = options.commandTimeoutMs ?? 2_000;
    this.client = this.makeClient();
  }

  /** Rejects where the server cannot be reached in time, with a sentence that names it, never its password. */
  static async connect(options: RedisOptions): Promise<RedisConnection> {
    if (!/^rediss?:\/\//.test(options.url) || !URL.canParse(options.url))
      throw new Error("The address of Redis must be a URL that begins with redis:// or rediss://.");
    const { connectTimeoutMs = 10_000 } = options;
    const connection = new RedisConnection(options);
    try {
      await withTimeout(
        connectTimeoutMs,
        connection.client.connect(),
        () => new Error(`no connection within ${connectTimeoutMs} ms`),
      );
      return connection;
    } catch (error) {
      connection.close();
      throw new Error(
        `Redis at ${addressOf(options.url)} cannot be used: ${sentenceOf(connection.lastError ?? error)}`,
        { cause: error },
      );
    }
  }

  /** Host and port, for messages. */
  get address(): string {
    return addressOf(this.options.url);
  }

  /** Counts connections. What was learned from the server over an earlier one may no longer hold. */
  get connectionNumber(): number {
    return this.connections;
  }

  /** Sends a command and returns its texts as strings. */
  text<Reply>(command: RedisCommand): Promise<Reply> {
    return this.answered(this.client.sendCommand<Reply>(command as RedisArgument[]), this.commandTimeoutMs);
  }

  /** Sends a command and returns its texts as bytes. */
  bytes(command: RedisCommand, timeoutMs = this.commandTimeoutMs): Promise<RedisReply> {
    return this.answered(this.client.sendCommand<RedisReply>(command as RedisArgument[], asBytes), timeoutMs);
  }

  /** Sends commands without others in between, and returns their replies. */
  async together(commands: readonly RedisCommand[]): Promise<readonly RedisReply[]> {
    const sent = [["MULTI"], ...commands].map((command) => this.client.sendCommand(command as RedisArgument[]));
    sent.push(this.client.sendCommand<never>(["EXEC"], asBytes));
    const replies = (await this.answered(Promise.all(sent), this.commandTimeoutMs)).at(-1) as unknown as readonly (
      RedisReply | ErrorReply
    )[];
    return replies.map((reply) => {
      if (reply instanceof Error) throw reply;
      return reply;
    });
  }

  /**
   * Calls back for each message of the channel. Messages sent while there was no connection are lost. One listener per
   * channel.
   */
  async listen(channel: string, listener: (message: string) => void): Promise<void> {
    this.listeners.set(channel, listener);
    await this.answered(this.client.subscribe(channel, listener), this.commandTimeoutMs);
  }

  /** Calls back after each reconnection. Returns a function that stops this. */
  onReconnected(callback: () => void): () => void {
    this.reconnected.add(callback);
    return () => void this.reconnected.delete(callback);
  }

  /** Reconnects, and resolves the server's name again. */
  lookAgain(): void {
    this.replace(this.client);
  }

  close(): void {
    this.isClosed = true;
    if (this.client.isOpen) this.client.destroy();
  }

  private makeClient(): Client {
    const client = createClientFor(this.options.url, () => this.connections === 0);
    client.on("error", (error: Error) => (this.lastError = error));
    client.on("ready", () => {
      this.connections++;
      if (this.connections > 1) for (const callback of [...this.reconnected]) callback();
    });
    return client;
  }

  /** Answers come in order, so a command behind one that may take long waits for as long as that one may. */
  private async answered<Value>(reply: Promise<Value>, timeoutMs: number): Promise<Value> {
    const { client } = this;
    const deadline = Math.max(performance.now() + timeoutMs, ...this.patient);
    const isPatient = timeoutMs > this.commandTimeoutMs;
    if (isPatient) this.patient.add(deadline);
    try {
      return await withTimeout(
        deadline - performance.now(),
        reply,
        () => new NoAnswer(`Redis at ${this.address} did not answer in time.`),
      );
    } catch (error) {
      if (error instanceof NoAnswer || isReadOnly(error)) this.replace(client);
      throw error;
    } finally {
      if (isPatient) this.patient.delete(deadline);
    }
  }

  /** Looks anew for a server that does not answer, or that became a replica: its name may lead elsewhere by now. */
  private replace(client: Client): void {
    if (this.isClosed || client !== this.client) return;
    this.client = this.makeClient();
    client.destroy();
    this.client.connect().then(
      () => this.listenAgain(),
      (error: Error) => (this.lastError = error),
    );
  }

  private async listenAgain(): Promise<void> {
    for (const [channel, listener] of this.listeners) await this.listen(channel, listener).catch(() => undefined);
  }
}

class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

const isReadOnly = (error: unknown): boolean => error instanceof ErrorReply && error.message.startsWith("READONLY");
const isRefusal = (error: Error): boolean =>
  /^(WRONGPASS|NOAUTH|NOPERM|ERR (AUTH|invalid password|DB index))/.test(error.message);

/** `isFirst` says whether the server was never reached so far: only then does a refusal end the attempts. */
function createClientFor(url: string, isFirst: () => boolean) {
  const backoff = (retries: number): number =>
    Math.min(longestBackoffMs, 50 * 2 ** Math.min(retries, 10)) * (0.75 + Math.random() / 2);
  return createClient({
    url,
    disableOfflineQueue: true,
    maintNotifications: "disabled",
    commandOptions: { timeout: 0 },
    socket: {
      connectTimeout: 5_000,
      reconnectStrategy: (retries, cause) => (isFirst() && isRefusal(cause) ? cause : backoff(retries)),
    },
  });
}

function addressOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname || "localhost"}:${port || "6379"}`;
}

function sentenceOf(error: unknown): string {
  const text =
    error instanceof AggregateError
      ? error.errors.map(String).join("; ")
      : error instanceof Error
        ? error.message
        : String(error);
  return text.endsWith(".") ? text : `${text}.`;
}

/**
 * A script that Redis carries out as one step. Its text is sent only where the server does not know it, or no longer
 * does.
 */
export class LuaScript {
  private readonly sha: string;

  constructor(private readonly source: string) {
    this.sha = createHash("sha1").update(source).digest("hex");
  }

  async run(
    connection: RedisConnection,
    keys: readonly string[],
    values: readonly (string | Buffer)[],
    timeoutMs?: number,
  ): Promise<RedisReply> {
    const rest = [String(keys.length), ...keys, ...values];
    try {
      return await connection.bytes(["EVALSHA", this.sha, ...rest], timeoutMs);
    } catch (error) {
      if (!(error instanceof ErrorReply) || !error.message.startsWith("NOSCRIPT")) throw error;
      return connection.bytes(["EVAL", this.source, ...rest], timeoutMs);
    }
  }
}

/**
 * The keys of a namespace. The braces make a Redis Cluster keep all of them in one slot, so one script or transaction
 * may touch any of them.
 */
export const keyOf = (namespace: string, ...parts: readonly string[]): string => [`{${namespace}}`, ...parts].join(":");

/** Holds whose the namespace is, in which format, and how far each read model has come. */
export const stateKey = (namespace: string): string => keyOf(namespace, "state");

/** Announces every commit. */
export const changesChannel = (namespace: string): string => keyOf(namespace, "changes");
