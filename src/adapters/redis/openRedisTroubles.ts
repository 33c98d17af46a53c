import type { ProjectionTroubles } from "../../../projections/ports.js";
import { troubleKey, type ProjectionTrouble } from "../../readModels/projectionTrouble.js";
import { keyOf } from "./keys.js";
import { openRedis } from "./openRedis.js";
import type { RedisConnection, RedisOptions } from "./redisConnection.js";

/** A hash of the namespace, which all processes share. Connects when it is first needed, and again where that failed. */
export function openRedisTroubles(options: RedisOptions): ProjectionTroubles {
  const key = keyOf(options.namespace, "troubles");
  let connecting: Promise<RedisConnection> | null = null;
  const connection = (): Promise<RedisConnection> => {
    connecting ??= openRedis(options).catch((error: unknown) => {
      connecting = null;
      throw error;
    });
    return connecting;
  };
  return {
    record: async (trouble) => void (await (await connection()).text(["HSET", key, troubleKey(trouble), JSON.stringify(trouble)])),
    list: async () => (await (await connection()).text<readonly string[]>(["HVALS", key])).map((json) => JSON.parse(json) as ProjectionTrouble),
    close: () => void connecting?.then((opened) => opened.close()).catch(() => undefined),
  };
}
