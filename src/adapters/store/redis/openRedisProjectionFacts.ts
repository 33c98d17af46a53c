import { toDatasourceId } from "../../../shared/ids.js";
import type { Checkpoint } from "../../../events/eventSource.js";
import type { Position } from "../../../shared/position.js";
import { stateKey, type RedisConnection, type RedisOptions } from "../../redis/redisConnection.js";
import { openRedis } from "../../redis/openRedis.js";
import { landmarkField, parseLandmark, parseReadModelState } from "./readModelState.js";
import { RowKeys, stateField, type StoredProjectionName } from "./rowKeys.js";

/** What Redis holds of a projection. */
interface RedisFacts {
  readonly position: Position;
  readonly parked: number;
  /**
   * Memory, roughly: large hashes are estimated by some of their entries. null where the server's user may not ask for
   * it.
   */
  readonly bytes: number | null;
}

export interface RedisProjectionFacts {
  /** How far a projection has come in a namespace of this Redis, and how many of its events are parked there. */
  read(namespace: string, projection: StoredProjectionName): Promise<RedisFacts>;
  /** How far it has come, alone. */
  checkpoint(namespace: string, projection: StoredProjectionName): Promise<Checkpoint>;
  /** Lets the store of a namespace be another one: who comes next finds nothing in it. */
  leave(namespace: string): Promise<void>;
  close(): void;
}

/** How many entries of a hash are sampled. */
const samples = "50";

/** How long sizes are remembered: each datasource adds a few keys to ask for. */
const rememberedMs = 5_000;

/** Connects to look how far projections have come, even while their readers may not answer yet. */
export async function openRedisProjectionFacts(options: RedisOptions): Promise<RedisProjectionFacts> {
  const connection = await openRedis(options);
  const sizes = new Map<string, { readonly at: number; readonly bytes: Promise<number | null> }>();
  const sizeOf = (keys: RowKeys, projection: StoredProjectionName): Promise<number | null> => {
    const name = keys.parked(projection);
    const known = sizes.get(name);
    if (known !== undefined && performance.now() - known.at < rememberedMs) return known.bytes;
    const bytes = measure(connection, keys, projection).catch(() => null);
    sizes.set(name, { at: performance.now(), bytes });
    return bytes;
  };
  return {
    read: async (namespace, projection) => {
      const [store, state] = await connection.text<(string | null)[]>([
        "HMGET",
        stateKey(namespace),
        "store",
        stateField(projection),
      ]);
      const keys = new RowKeys(namespace, store ?? "");
      const [parked, bytes] = await Promise.all([
        connection.text<number>(["HLEN", keys.parked(projection)]),
        sizeOf(keys, projection),
      ]);
      return { position: parseReadModelState(state ?? null).checkpoint, parked, bytes };
    },
    checkpoint: async (namespace, projection) => {
      const fields = [stateField(projection), landmarkField(projection)];
      const [state, landmark] = await connection.text<(string | null)[]>(["HMGET", stateKey(namespace), ...fields]);
      return { position: parseReadModelState(state ?? null).checkpoint, landmark: parseLandmark(landmark ?? null) };
    },
    leave: async (namespace) => void (await connection.text(["DEL", stateKey(namespace)])),
    close: () => connection.close(),
  };
}

async function measure(connection: RedisConnection, keys: RowKeys, projection: StoredProjectionName): Promise<number> {
  const sizes = (await keysOf(connection, keys, projection)).map((key) =>
    connection.text<number | null>(["MEMORY", "USAGE", key, "SAMPLES", samples]),
  );
  return (await Promise.all(sizes)).reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

async function keysOf(
  connection: RedisConnection,
  keys: RowKeys,
  projection: StoredProjectionName,
): Promise<readonly string[]> {
  if (projection !== "groupClosure") return keys.writtenBy(projection, []);
  const datasources = await connection.text<readonly string[]>(["HKEYS", keys.datasources]);
  return keys.writtenBy(projection, datasources.map(toDatasourceId));
}
