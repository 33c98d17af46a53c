import type { GroupClosureStore } from "../../projections/groupClosure/ports.js";
import { RedisConnection } from "../../src/adapters/redis/redisConnection.js";
import type { DatasourceId, Email } from "../../src/shared/ids.js";
import type { GroupClosureRows } from "./readModelRows.js";
import type { RedisPlace } from "./redisReadModels.js";

/**
 * As the service connects: the client makes a class of three hundred commands anew whenever it is asked for another
 * kind of connection than the time before, and most tests ask for both in turns.
 */
const connect = (place: RedisPlace): Promise<RedisConnection> =>
  RedisConnection.connect({ ...place, commandTimeoutMs: 30_000 });

/**
 * Everything that the group closure holds in this namespace; what its keys hold of datasources that are gone counts as
 * orphans.
 */
export async function redisGroupClosureRows(place: RedisPlace, store: GroupClosureStore): Promise<GroupClosureRows> {
  const connection = await connect(place);
  const list = (...command: readonly string[]): Promise<string[]> => connection.text(command);
  const state = `{${place.namespace}}:state`;
  const rows = `{${place.namespace}}:rows:${await connection.text<string>(["HGET", state, "store"])}`;
  const texts = await list("HVALS", `${rows}:datasources`);
  const stored = (await list("HKEYS", `${rows}:datasources`))
    .map((datasourceId, index) => [datasourceId, texts[index] ?? ""] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const keys = await list("KEYS", `${rows}:*`);
  const partsOf = (kind: string): readonly string[] =>
    keys.flatMap((key) => (key.startsWith(`${rows}:${kind}:`) ? [key.slice(rows.length + kind.length + 2)] : []));
  const datasources = stored.map(([datasourceId, text]) => ({
    datasourceId,
    token: text.split(" ")[1] ?? "",
    access: text.split(" ")[0] ?? "",
  }));
  const isOrphan = (datasourceId: string): boolean =>
    !datasources.some((datasource) => datasource.datasourceId === datasourceId);
  const orphans = [...partsOf("groups"), ...partsOf("people"), ...partsOf("tokens")].filter(isOrphan).length;
  const groups: GroupClosureRows["groups"][number][] = [];
  const people: GroupClosureRows["people"][number][] = [];
  for (const { datasourceId } of datasources) {
    for (const { parents, ancestors, ...row } of await store.groups(datasourceId as DatasourceId)) {
      groups.push({ datasourceId, ...row, parents: [...parents], ancestors: [...ancestors] });
    }
    const emails = (await list("HKEYS", `${rows}:people:${datasourceId}`)).sort();
    for (const row of await store.people(
      emails.map((email) => ({ datasourceId: datasourceId as DatasourceId, email: email as Email })),
    )) {
      people.push({ ...row, groups: [...row.groups] });
    }
  }
  connection.close();
  return { datasources, groups, people, orphans };
}

/** Leaves nothing of a test behind. */
export async function dropNamespace(place: RedisPlace): Promise<void> {
  const connection = await connect(place);
  let cursor = "0";
  do {
    const scan = ["SCAN", cursor, "MATCH", `{${place.namespace}}:*`, "COUNT", "1000"];
    const [next, keys] = await connection.text<readonly [string, readonly string[]]>(scan);
    if (keys.length > 0) await connection.text(["UNLINK", ...keys]);
    cursor = next;
  } while (cursor !== "0");
  connection.close();
}
