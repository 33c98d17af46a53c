import type { LiveLoad, LiveLoads } from "../../../projections/ports.js";
import { keyOf } from "./keys.js";
import { openRedis } from "./openRedis.js";
import type { RedisConnection, RedisOptions } from "./redisConnection.js";

/** What nobody tells any more is gone by itself. */
const keptMs = 60_000;

/** A hash of the namespace, which all processes share. Connects when it is first needed, and again where that failed. */
export function openRedisLiveLoads(options: RedisOptions): LiveLoads {
  const key = keyOf(options.namespace, "load");
  let connecting: Promise<RedisConnection> | null = null;
  const connection = (): Promise<RedisConnection> => {
    connecting ??= openRedis(options).catch((error: unknown) => {
      connecting = null;
      throw error;
    });
    return connecting;
  };
  return {
    tell: async (process, load) => {
      const opened = await connection();
      await opened.together([["HSET", key, process, JSON.stringify(load)], ["PEXPIRE", key, String(keptMs)]]);
    },
    list: async () => {
      const told = await (await connection()).text<Readonly<Record<string, string>>>(["HGETALL", key]);
      return new Map(Object.entries(told).map(([process, json]) => [process, JSON.parse(json) as LiveLoad]));
    },
    close: () => void connecting?.then((opened) => opened.close()).catch(() => undefined),
  };
}
