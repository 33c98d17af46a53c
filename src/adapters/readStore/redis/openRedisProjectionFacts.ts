import type { Position } from "../../../shared/position.js";
import { stateKey } from "../../redis/keys.js";
import { openRedis } from "../../redis/openRedis.js";
import type { RedisOptions } from "../../redis/redisConnection.js";
import { parseReadModelState } from "./readModelState.js";
import { RowKeys } from "./rowKeys.js";

export interface RedisProjectionFacts {
  /** How far a projection has come in a namespace of this Redis, and how many of its events are parked there. */
  read(namespace: string, projection: string): Promise<{ readonly position: Position; readonly parked: number }>;
  close(): void;
}

/** Connects to look at where projections stand, also while their readers may not answer yet. */
export async function openRedisProjectionFacts(options: RedisOptions): Promise<RedisProjectionFacts> {
  const connection = await openRedis(options);
  return {
    read: async (namespace, projection) => {
      const [store, state] = await connection.text<(string | null)[]>(["HMGET", stateKey(namespace), "store", projection]);
      const parked = await connection.text<number>(["HLEN", new RowKeys(namespace, store ?? "").parked(projection)]);
      return { position: parseReadModelState(state ?? null).checkpoint, parked };
    },
    close: () => connection.close(),
  };
}
