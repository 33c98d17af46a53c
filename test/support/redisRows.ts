import { createClient } from "redis";
import type { GroupClosureStore } from "../../projections/groupClosure/ports.js";
import type { DatasourceId, Email } from "../../src/shared/ids.js";
import type { GroupClosureRows } from "./readModelRows.js";
import type { RedisPlace } from "./redisReadModels.js";

/**
 * Everything that the group closure holds in this namespace; what its keys hold of datasources that are gone counts as
 * orphans.
 */
export async function redisGroupClosureRows(
  { url, namespace }: RedisPlace,
  store: GroupClosureStore,
): Promise<GroupClosureRows> {
  const client = createClient({ url });
  await client.connect();
  const rows = `{${namespace}}:rows:${await client.hGet(`{${namespace}}:state`, "store")}`;
  const stored = Object.entries(await client.hGetAll(`${rows}:datasources`)).sort(([a], [b]) => (a < b ? -1 : 1));
  const keys = await client.keys(`${rows}:*`);
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
    const emails = (await client.hKeys(`${rows}:people:${datasourceId}`)).sort();
    for (const row of await store.people(
      emails.map((email) => ({ datasourceId: datasourceId as DatasourceId, email: email as Email })),
    )) {
      people.push({ ...row, groups: [...row.groups] });
    }
  }
  client.destroy();
  return { datasources, groups, people, orphans };
}

/** Leaves nothing of a test behind. */
export async function dropNamespace({ url, namespace }: RedisPlace): Promise<void> {
  const client = createClient({ url });
  await client.connect();
  for await (const keys of client.scanIterator({ MATCH: `{${namespace}}:*`, COUNT: 1_000 }))
    if (keys.length > 0) await client.unlink(keys);
  client.destroy();
}
