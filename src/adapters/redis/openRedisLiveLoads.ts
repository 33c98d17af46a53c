import type { LiveLoad, LiveLoads } from "../../../projections/ports.js";
import { keyOf } from "./keys.js";
import { lazyRedis } from "./lazyRedis.js";
import type { RedisOptions } from "./redisConnection.js";

/** What nobody tells any more is gone by itself. */
const keptMs = 60_000;

/** A hash of the namespace, which all processes share. */
export function openRedisLiveLoads(options: RedisOptions): LiveLoads {
  const key = keyOf(options.namespace, "load");
  const { connection, close } = lazyRedis(options);
  return {
    tell: async (process, load) => {
      const opened = await connection();
      await opened.together([
        ["HSET", key, process, JSON.stringify(load)],
        ["PEXPIRE", key, String(keptMs)],
      ]);
    },
    list: async () => {
      const told = await (await connection()).text<Readonly<Record<string, string>>>(["HGETALL", key]);
      return new Map(Object.entries(told).map(([process, json]) => [process, JSON.parse(json) as LiveLoad]));
    },
    close,
  };
}
