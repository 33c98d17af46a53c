import type { ProjectionErrors } from "../../../projections/ports.js";
import { projectionErrorKey, type RecordedProjectionError } from "../../readModels/projectionError.js";
import { keyOf } from "./keys.js";
import { lazyRedis } from "./lazyRedis.js";
import type { RedisOptions } from "./redisConnection.js";

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
