import type { RecordedDecision, RecordedDecisions } from "../../../queries/ports.js";
import { keyOf } from "./keys.js";
import { openRedis } from "./openRedis.js";
import type { RedisConnection, RedisOptions } from "./redisConnection.js";

const kept = 300;
const keptMs = 24 * 60 * 60_000;

/**
 * A sorted set of the namespace, by time, which all processes share. Connects when it is first needed, and again where
 * that failed.
 */
export function openRedisDecisions(options: RedisOptions): RecordedDecisions {
  const key = keyOf(options.namespace, "decisions");
  let connecting: Promise<RedisConnection> | null = null;
  const connection = (): Promise<RedisConnection> => {
    connecting ??= openRedis(options).catch((error: unknown) => {
      connecting = null;
      throw error;
    });
    return connecting;
  };
  return {
    record: async (decisions) => {
      const now = Date.now();
      await (
        await connection()
      ).together([
        ["ZADD", key, ...decisions.flatMap((decision) => [String(now), JSON.stringify(decision)])],
        ["ZREMRANGEBYSCORE", key, "-inf", String(now - keptMs)],
        ["ZREMRANGEBYRANK", key, "0", String(-kept - 1)],
        ["PEXPIRE", key, String(keptMs)],
      ]);
    },
    list: async () => {
      const found = await (
        await connection()
      ).text<readonly string[]>(["ZRANGE", key, String(Date.now() - keptMs), "+inf", "BYSCORE"]);
      return found.map((json) => JSON.parse(json) as RecordedDecision).toReversed();
    },
    close: () => void connecting?.then((opened) => opened.close()).catch(() => undefined),
  };
}
