import { openRedis } from "./openRedis.js";
import type { RedisConnection, RedisOptions } from "./redisConnection.js";

/**
 * A connection that is made when it is first needed, and again where that failed. For what a process can do without.
 */
export interface LazyRedis {
  /** Rejects as `openRedis` does. */
  connection(): Promise<RedisConnection>;
  close(): void;
}

/** Does not connect yet. */
export function lazyRedis(options: RedisOptions): LazyRedis {
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
