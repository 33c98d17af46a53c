import type { ProjectionTroubles } from "../../../projections/ports.js";
import { troubleKey, type ProjectionTrouble } from "../../readModels/projectionTrouble.js";
import { keyOf } from "./keys.js";
import { lazyRedis } from "./lazyRedis.js";
import type { RedisOptions } from "./redisConnection.js";

/** A hash of the namespace, which all processes share. */
export function openRedisTroubles(options: RedisOptions): ProjectionTroubles {
  const key = keyOf(options.namespace, "troubles");
  const { connection, close } = lazyRedis(options);
  return {
    record: async (trouble) => void (await (await connection()).text(["HSET", key, troubleKey(trouble), JSON.stringify(trouble)])),
    list: async () => (await (await connection()).text<readonly string[]>(["HVALS", key])).map((json) => JSON.parse(json) as ProjectionTrouble),
    close,
  };
}
