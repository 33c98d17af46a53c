import { keyOf, type RedisOptions } from "../../redis/redisConnection.js";
import { openRedis } from "../../redis/openRedis.js";
import { partsOfReadModels, type ServedReadModelName } from "./rowKeys.js";

const keysPerStep = 200;

/** Removes everything in a namespace. For a version that nobody serves or projects any more. */
export const dropRedisNamespace = (options: RedisOptions): Promise<void> =>
  removeWhere(options, `${keyOf(options.namespace)}:*`, () => true);

/** Removes everything of a tenant: its namespace, and those of further versions, whose names continue with a dot. */
export async function dropRedisTenant(options: RedisOptions): Promise<void> {
  await dropRedisNamespace(options);
  await removeWhere(options, `${keyOf(`${options.namespace}.*`)}:*`, () => true);
}

/** Removes the rows of one read model from a namespace that holds others as well. Its checkpoint stays. */
export function dropRedisReadModel({
  readModel,
  ...options
}: RedisOptions & { readonly readModel: ServedReadModelName }): Promise<void> {
  const rows = `${keyOf(options.namespace, "rows")}:`;
  return removeWhere(options, `${rows}*`, (key) =>
    (partsOfReadModels[readModel] as readonly string[]).includes(key.slice(rows.length).split(":")[1] ?? ""),
  );
}

async function removeWhere(options: RedisOptions, pattern: string, isMeant: (key: string) => boolean): Promise<void> {
  const connection = await openRedis(options);
  try {
    let cursor = "0";
    do {
      const [next, found] = await connection.text<[string, string[]]>([
        "SCAN",
        cursor,
        "MATCH",
        pattern,
        "COUNT",
        String(keysPerStep),
      ]);
      const meant = found.filter(isMeant);
      if (meant.length > 0) await connection.text(["UNLINK", ...meant]);
      cursor = next;
    } while (cursor !== "0");
  } finally {
    connection.close();
  }
}
