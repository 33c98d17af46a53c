import type { HeldGroup, HeldPage, PersonOfDatasource } from "../../../../queries/ports.js";
import { toDatasourceId, toStoredEmail, type DatasourceId } from "../../../shared/ids.js";
import type { RedisReply } from "../../redis/redisConnection.js";
import { unpackGroup, unpackGroupAccess, unpackPerson } from "./packedRows.js";
import type { ReadSession } from "./readSession.js";
import type { RowKeys } from "./rowKeys.js";

const fieldsPerPage = "500";

/** A page of a hash: fields and values in turns. */
interface HashPage {
  readonly datasourceId: DatasourceId;
  readonly entries: readonly (readonly [field: string, value: Buffer])[];
  readonly store: string;
  readonly next: string | null;
}

/** The people of one datasource after the other. */
export async function heldPeople(session: ReadSession, after: string | null): Promise<HeldPage<PersonOfDatasource>> {
  const page = await scan(session, after, (keys, datasourceId) => keys.people(datasourceId));
  if (page === null) return { items: [], next: null };
  const { datasourceId, entries, next } = page;
  const registered = entries.filter(([, row]) => unpackPerson(row).registered);
  return { items: registered.map(([email]) => ({ datasourceId, email: toStoredEmail(email) })), next };
}

/** The groups of one datasource after the other. What is above them is read after them. */
export async function heldGroups(session: ReadSession, after: string | null): Promise<HeldPage<HeldGroup>> {
  const page = await scan(session, after, (keys, datasourceId) => keys.groups(datasourceId));
  if (page === null) return { items: [], next: null };
  const { datasourceId, entries, store, next } = page;
  const rows = entries.map(([index, row]) => unpackGroup(Number(index), row));
  const above = [...new Set(rows.flatMap(({ ancestors }) => [...ancestors]))];
  const { replies } =
    above.length === 0
      ? { replies: [[]] }
      : await session.snapshot(store, (keys) => [["HMGET", keys.groups(datasourceId), ...above.map(String)]]);
  const found = replies[0] as readonly (Buffer | null)[];
  const tokens = new Map(above.map((index, place) => [index, found[place]]));
  const items = rows.map(({ groupId, name, token, ancestors }): HeldGroup => {
    const ofAncestors = Array.from(ancestors, (index) => tokens.get(index) ?? null);
    return {
      ...{ datasourceId, groupId, name },
      tokens: [token, ...ofAncestors.flatMap((row) => (row === null ? [] : [unpackGroupAccess(row).token]))],
    };
  });
  return { items, next };
}

/** `after` is a datasource, and the cursor within its hash; null where there is no datasource. */
async function scan(
  session: ReadSession,
  after: string | null,
  keyOf: (keys: RowKeys, datasourceId: DatasourceId) => string,
): Promise<HashPage | null> {
  const { store } = await session.state("groupClosure");
  const { replies: listed } = await session.snapshot(store, ({ datasources }) => [["HKEYS", datasources]]);
  const ids = (listed[0] as readonly Buffer[]).map(String).sort();
  const [from = ids[0], cursor = "0"] = after?.split(" ") ?? [];
  if (from === undefined) return null;
  const datasourceId = toDatasourceId(from);
  const { replies } = await session.snapshot(store, (keys) => [
    ["HSCAN", keyOf(keys, datasourceId), cursor, "COUNT", fieldsPerPage],
  ]);
  const [rest, flat] = replies[0] as unknown as readonly [Buffer, readonly Buffer[]];
  const following = ids.find((id) => id > from);
  const isDone = String(rest) === "0";
  return {
    ...{ datasourceId, store },
    entries: entriesOf(flat),
    next: isDone ? (following === undefined ? null : `${following} 0`) : `${from} ${rest}`,
  };
}

const entriesOf = (flat: readonly RedisReply[]): readonly (readonly [string, Buffer])[] =>
  flat.flatMap((field, place) => (place % 2 === 0 ? [[String(field), flat[place + 1] as Buffer] as const] : []));
