import { endianness } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { ErrorReply } from "redis";
import { stateKey, RedisConnection, type RedisOptions } from "./redisConnection.js";

/** The program whose keys these are, as it stands in the namespace's state. */
export const product = "enterprise-search";

/** The format of everything in the namespace. Packed numbers are in the byte order of the machines that wrote them. */
export const format = `1${endianness()}`;

const oldestMajorVersion = 7;

/**
 * Connects, and checks that this Redis can be trusted with a read model and that the namespace is free or ours. Rejects
 * with a sentence otherwise, within the time that `connectTimeoutMs` allows.
 */
export async function openRedis(options: RedisOptions): Promise<RedisConnection> {
  const deadline = performance.now() + (options.connectTimeoutMs ?? 10_000);
  const connection = await RedisConnection.connect(options);
  try {
    await onceLoaded(deadline, () => checkServer(connection));
    await onceLoaded(deadline, () => checkNamespace(connection, options.namespace));
    return connection;
  } catch (error) {
    connection.close();
    throw error instanceof ErrorReply
      ? new Error(`Redis at ${connection.address} cannot be used: ${error.message}.`, { cause: error })
      : error;
  }
}

/** What the server says of itself. */
export async function serverInfo(connection: RedisConnection): Promise<ReadonlyMap<string, string>> {
  const text = await connection.text<string>(["INFO"]);
  return new Map(
    text.split("\r\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]),
  );
}

/** What a replica answers may already have been taken back on the primary. */
export const isReplica = (info: ReadonlyMap<string, string>): boolean => info.get("role") === "slave";

async function checkServer(connection: RedisConnection): Promise<void> {
  const info = await serverInfo(connection);
  const version = info.get("redis_version") ?? "unknown";
  if (Number.parseInt(version, 10) < oldestMajorVersion) {
    throw new Error(
      `Redis at ${connection.address} is version ${version}; version ${oldestMajorVersion} or newer is needed.`,
    );
  }
  if (isReplica(info))
    throw new Error(`Redis at ${connection.address} is a replica, which may be behind. Name the primary.`);
  const policy = info.get("maxmemory_policy") ?? "noeviction";
  if (policy.startsWith("allkeys-")) {
    throw new Error(
      `Redis at ${connection.address} evicts any key when its memory is full (maxmemory-policy ${policy}), which would take permissions away silently. Set maxmemory-policy to noeviction.`,
    );
  }
}

async function checkNamespace(connection: RedisConnection, namespace: string): Promise<void> {
  const [owner, found] = await ownerOf(connection, namespace);
  if (owner !== null && owner !== product) {
    throw new Error(
      `The namespace "${namespace}" in the Redis at ${connection.address} belongs to ${owner}. Choose another namespace.`,
    );
  }
  if (owner !== null && found !== format) {
    throw new Error(
      `The namespace "${namespace}" in the Redis at ${connection.address} is in format ${found}, and this program knows ${format}. Delete its keys, or choose another namespace.`,
    );
  }
}

async function ownerOf(
  connection: RedisConnection,
  namespace: string,
): Promise<readonly [string | null, string | null]> {
  try {
    return await connection.text<[string | null, string | null]>(["HMGET", stateKey(namespace), "product", "format"]);
  } catch (error) {
    if (error instanceof ErrorReply && error.message.startsWith("WRONGTYPE")) return ["another product", null];
    throw error;
  }
}

/** A server that was just started answers after it has read its files. */
async function onceLoaded(deadline: number, check: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof ErrorReply) || !error.message.startsWith("LOADING") || performance.now() >= deadline)
        throw error;
      await sleep(100);
    }
  }
}
