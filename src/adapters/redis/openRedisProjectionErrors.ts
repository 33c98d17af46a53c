import type { ProjectionErrors } from "../../../projections/ports.js";
import { projectionErrorKey, type RecordedProjectionError } from "../../readModels/projectionStatus.js";
import { keyOf, type RedisOptions, type RedisConnection } from "./redisConnection.js";
import { openRedis } from "./openRedis.js";

/** A hash of the namespace, which all processes share. */
export function openRedisProjectionErrors(options: RedisOptions): ProjectionErrors {
  const key = keyOf(options.namespace, "troubles");
  const { connection, close } = lazyRedis(options);
  return {
    record: async (projectionError) =>
      void (await (
        await connection()
      ).text(["HSET", key, projectionErrorKey(projectionError), JSON.stringify(projectionError)])),
    list: async () =>
      (await (await connection()).text<readonly string[]>(["HVALS", key])).map(
        (json) => JSON.parse(json) as RecordedProjectionError,
      ),
    close,
  };
}

/**
 * A connection that is made when it is first needed, and again where that failed. For what a process can do without.
 */
interface LazyRedis {
  /** Rejects as `openRedis` does. */
  connection(): Promise<RedisConnection>;
  close(): void;
}

/** Does not connect yet. */
function lazyRedis(options: RedisOptions): LazyRedis {
  let connecting: Promise<RedisConnection> | null = null;
  return {
    connection: () => {
      connecting ??= openRedis(options).catch((error: unknown) => {
        connecting = null;
        throw error;
      });
      return connecting;
    },
    close: () => void connecting?.then((opened) => opened.close()).catch(() => undefined),
  };
}
