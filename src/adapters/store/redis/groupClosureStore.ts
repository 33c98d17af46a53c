import type {
  DatasourceAccess,
  GroupClosureBatch,
  GroupClosureStore,
  GroupRow,
  GroupRows,
  PersonKey,
  PersonRow,
} from "../../../../projections/groupClosure/ports.js";
import type { DatasourceId } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import type { RedisCommand } from "../../redis/redisConnection.js";
import { parseDatasource, textOfDatasource, type RowKeys } from "./rowKeys.js";
import { packEntry } from "./journalEntry.js";
import { packGroup, packPerson, unpackGroup, unpackPerson } from "./packedRows.js";
import type { StoreSession } from "./storeSession.js";

/** How many rows one command reads or writes. */
const rowsPerCommand = 500;

/**
 * What a catch-up of the group closure holds back for one commit: Redis does nothing else while it applies one, some
 * tens of milliseconds at this size.
 */
const redisHoldingLimits = { changes: 100_000, people: 20_000 };

/** The group closure's rows in Redis. */
export class RedisGroupClosureStore implements GroupClosureStore {
  readonly holdingLimits = redisHoldingLimits;

  constructor(private readonly session: StoreSession) {}

  checkpoint(): Promise<Position> {
    return this.session.checkpoint("groupClosure");
  }

  async access(datasourceId: DatasourceId): Promise<DatasourceAccess | null> {
    const keys = await this.session.keys();
    const stored = (await this.session.read(["HGET", keys.datasources, datasourceId])) as Buffer | null;
    return stored && parseDatasource(String(stored)).access;
  }

  async groups(datasourceId: DatasourceId): Promise<readonly GroupRow[]> {
    const key = (await this.session.keys()).groups(datasourceId);
    const count = Number(await this.session.read(["HLEN", key]));
    const rows: GroupRow[] = [];
    for (const indexes of inSteps(Array.from({ length: count }, (_, index) => index))) {
      const stored = (await this.session.read(["HMGET", key, ...indexes.map(String)])) as readonly Buffer[];
      rows.push(...stored.map((bytes, place) => unpackGroup(indexes[place] as number, bytes)));
    }
    return rows;
  }

  async people(keys: readonly PersonKey[]): Promise<readonly PersonRow[]> {
    const rowKeys = await this.session.keys();
    const rows: PersonRow[] = [];
    for (const [datasourceId, ofDatasource] of byDatasource(keys)) {
      for (const step of inSteps(ofDatasource)) {
        const stored = (await this.session.read([
          "HMGET",
          rowKeys.people(datasourceId),
          ...step.map(({ email }) => email),
        ])) as readonly (Buffer | null)[];
        stored.forEach((bytes, place) => {
          if (bytes !== null)
            rows.push({ datasourceId, email: (step[place] as PersonKey).email, ...unpackPerson(bytes) });
        });
      }
    }
    return rows;
  }

  async write(batch: GroupClosureBatch): Promise<"applied" | "checkpointConflict"> {
    const keys = await this.session.keys();
    return this.session.commit("groupClosure", {
      ...batch,
      commands: [...commandsOf(batch, keys)],
      journalEntry: packEntry(batch),
    });
  }
}

function* commandsOf(
  { datasources, groups, people, closed }: GroupClosureBatch,
  keys: RowKeys,
): Iterable<RedisCommand> {
  for (const datasource of datasources)
    yield ["HSET", keys.datasources, datasource.datasourceId, textOfDatasource(datasource)];
  for (const [datasourceId, rows] of groups) yield* groupCommands(datasourceId, rows, keys);
  for (const [datasourceId, ofDatasource] of byDatasource(people)) {
    yield* hashCommands(
      keys.people(datasourceId),
      ofDatasource.map((person) => [person.email, packPerson(person)]),
    );
  }
  for (const datasourceId of closed) {
    yield ["HDEL", keys.datasources, datasourceId];
    for (const key of [keys.groups(datasourceId), keys.tokens(datasourceId), keys.people(datasourceId)])
      yield ["UNLINK", key];
  }
}

/** All old tokens go before the first new one comes: two groups may have swapped names. */
function* groupCommands(
  datasourceId: DatasourceId,
  { named, moved }: GroupRows,
  keys: RowKeys,
): Iterable<RedisCommand> {
  const [groups, tokens] = [keys.groups(datasourceId), keys.tokens(datasourceId)];
  for (const step of inSteps(named)) yield ["FORGET", groups, tokens, ...step.map(({ index }) => String(index))];
  yield* hashCommands(
    groups,
    [...named, ...moved].map((row) => [String(row.index), packGroup(row)]),
  );
  yield* hashCommands(
    tokens,
    named.map(({ token, index }) => [token, String(index)]),
  );
}

function* hashCommands(key: string, entries: readonly (readonly [string, string | Buffer])[]): Iterable<RedisCommand> {
  for (const step of inSteps(entries)) yield ["HSET", key, ...step.flat()];
}

function* inSteps<Item>(items: readonly Item[]): Iterable<readonly Item[]> {
  for (let from = 0; from < items.length; from += rowsPerCommand) yield items.slice(from, from + rowsPerCommand);
}

function byDatasource<Item extends { readonly datasourceId: DatasourceId }>(
  items: readonly Item[],
): ReadonlyMap<DatasourceId, readonly Item[]> {
  const groups = new Map<DatasourceId, Item[]>();
  for (const item of items) {
    const group = groups.get(item.datasourceId);
    if (group === undefined) groups.set(item.datasourceId, [item]);
    else group.push(item);
  }
  return groups;
}
