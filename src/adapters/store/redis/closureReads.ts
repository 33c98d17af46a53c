import type { DatasourceId, Email, PrincipalToken } from "../../../shared/ids.js";
import type { RedisCommand, RedisReply } from "../../redis/redisConnection.js";
import type { ClosureMemory } from "./closureMemory.js";
import { keptEntries, unpackEntry, type JournalEntry } from "./journalEntry.js";
import { unpackGroupAccess, unpackPerson } from "./packedRows.js";
import type { RowKeys } from "./rowKeys.js";

/** How many groups are read at once: more would hold up Redis and this process alike. */
const maxGroupsPerRead = 2_000;

/** What an answer lacks. It is collected while the answer is tried from memory, then read together. */
export class Lacks {
  private person: Email | null = null;
  private readonly groups = new Map<DatasourceId, number[]>();
  private readonly tokens = new Map<DatasourceId, PrincipalToken[]>();
  private groupCount = 0;

  get isEmpty(): boolean {
    return this.person === null && this.groups.size === 0 && this.tokens.size === 0;
  }

  lacksPerson(email: Email): void {
    this.person = email;
  }

  lacksGroup(datasourceId: DatasourceId, index: number): void {
    if (this.groupCount++ < maxGroupsPerRead) listIn(this.groups, datasourceId).push(index);
  }

  lacksToken(datasourceId: DatasourceId, token: PrincipalToken): void {
    listIn(this.tokens, datasourceId).push(token);
  }

  /** The commands that read what is lacking, and where their replies belong in the memory. */
  toReads(memory: ClosureMemory): readonly ClosureRead[] {
    const reads: ClosureRead[] = [];
    if (this.person !== null)
      reads.push(
        readOfPerson(
          this.person,
          Array.from(memory.datasources, ({ datasourceId }) => datasourceId),
        ),
      );
    for (const [datasourceId, indexes] of this.groups) {
      reads.push({
        commands: (keys) => [["HMGET", keys.groups(datasourceId), ...indexes.map(String)]],
        remember: ([rows]) =>
          (rows as readonly (Buffer | null)[]).forEach((row, place) => {
            if (row !== null) memory.rememberGroup(datasourceId, indexes[place] as number, unpackGroupAccess(row));
          }),
      });
    }
    for (const [datasourceId, tokens] of this.tokens) {
      reads.push({
        commands: (keys) => [["HMGET", keys.tokens(datasourceId), ...tokens]],
        remember: ([indexes]) =>
          (indexes as readonly (Buffer | null)[]).forEach((index, place) => {
            memory.rememberToken(datasourceId, tokens[place] as PrincipalToken, index === null ? null : Number(index));
          }),
      });
    }
    return reads;

    function readOfPerson(email: Email, datasources: readonly DatasourceId[]): ClosureRead {
      return {
        commands: (keys) => datasources.map((datasourceId) => ["HGET", keys.people(datasourceId), email]),
        remember: (rows) => {
          const found = datasources.flatMap((datasourceId, place) => {
            const row = rows[place] as Buffer | null;
            return row === null ? [] : [[datasourceId, unpackPerson(row)] as const];
          });
          memory.rememberPerson(email, new Map(found));
        },
      };
    }
  }
}

/** Commands, and what to remember their replies as. */
export interface ClosureRead {
  commands(keys: RowKeys): readonly RedisCommand[];
  remember(replies: readonly RedisReply[]): void;
}

/** Reads the datasources, and the journal from a version on. */
export const newsCommands = (version: string, keys: RowKeys): readonly RedisCommand[] => [
  ["HGETALL", keys.datasources],
  ["XRANGE", keys.journal, version, "+", "COUNT", String(keptEntries + 1)],
];

/** What has changed in a closure since a version. */
export interface ClosureNews {
  readonly datasources: ReadonlyMap<DatasourceId, string>;
  /** Each with the version that it led to; null where the journal does not reach back that far. */
  readonly entries: readonly { readonly version: string; readonly entry: JournalEntry }[] | null;
}

/** Takes the replies of {@link newsCommands}. */
export function toNews(version: string, [datasources, journal]: readonly RedisReply[]): ClosureNews {
  const flat = (datasources as readonly Buffer[]).map(String);
  const found = (journal as readonly (readonly [Buffer, readonly [Buffer, Buffer]])[]).map(([id, [, entry]]) => ({
    id: String(id),
    entry,
  }));
  return {
    datasources: new Map(
      flat.flatMap((id, place) => (place % 2 === 0 ? [[id as DatasourceId, flat[place + 1] ?? ""] as const] : [])),
    ),
    entries:
      found[0]?.id === version
        ? found.slice(1).map(({ id, entry }) => ({ version: id, entry: unpackEntry(String(entry)) }))
        : null,
  };
}

function listIn<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
