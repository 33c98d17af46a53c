import { LRUCache } from "lru-cache";
import type { AccessReader, Checkpointed, HeldGroup, HeldPage, PersonOfDatasource } from "../../../../queries/ports.js";
import { toHeldTokens, type HeldTokens } from "../../../readModels/search.js";
import {
  type DatasourceId,
  type Email,
  type PrincipalToken,
  toDatasourceId,
  toStoredEmail,
} from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import { ReadModelUnavailable } from "../../../shared/failures.js";
import { contains, unionOf, type SortedIndexes } from "../../../shared/sortedIndexes.js";
import { ClosureMemory, type KnownDatasource } from "./closureMemory.js";
import { type JournalEntry, keptEntries, unpackEntry } from "./journalEntry.js";
import { type PersonAccess, unpackGroup, unpackGroupAccess, unpackPerson } from "./packedRows.js";
import { countOf } from "./readModelState.js";
import type { ReadSession, Snapshot } from "./readSession.js";
import type { State } from "./servedState.js";
import type { RedisReply, RedisCommand } from "../../redis/redisConnection.js";
import type { RowKeys } from "./rowKeys.js";

/**
 * A person's union of groups on one datasource, made from this row. It is another object where anything in it changed.
 */
interface KnownUnion {
  readonly row: PersonAccess;
  readonly closure: SortedIndexes;
  asOf: number;
}

/** The tokens that a person holds, and the parts that they were made of: the same parts make the same tokens. */
interface KnownTokens {
  readonly parts: readonly unknown[];
  readonly tokens: HeldTokens;
}

interface Registration {
  readonly datasource: KnownDatasource;
  readonly union: KnownUnion;
}

/** How much of unions and tokens is remembered: some 40 MB. */
const maxRemembered = 4_000_000;
/** A person in 5,000 groups with as many above them takes a handful. */
const maxRounds = 100;

/**
 * Answers from memory for as long as the closure's version stands still, which one small round trip per turn tells (see
 * `ReadSession`). Where it has moved, the journal names the people concerned. What is missing is read together with the
 * version, so groups of one moment are never mixed with memberships of another.
 */
export class RedisAccessReader implements AccessReader {
  private readonly progress: Checkpointed;
  private readonly memory = new ClosureMemory();
  private readonly unions = new LRUCache<string, KnownUnion>({
    maxSize: maxRemembered,
    sizeCalculation: ({ closure }) => 16 + closure.length,
  });
  private readonly held = new LRUCache<Email, KnownTokens>({
    maxSize: maxRemembered,
    sizeCalculation: ({ tokens }) => 16 + 4 * tokens.tokens.length,
  });
  private refreshing: Promise<boolean> | null = null;

  constructor(private readonly session: ReadSession) {
    this.progress = session.progressOf("groupClosure");
  }

  position(): Promise<Position> {
    return this.progress.position();
  }

  reached(position: Position, timeoutMs: number): Promise<boolean> {
    return this.progress.reached(position, timeoutMs);
  }

  heldTokens(email: Email): Promise<HeldTokens> {
    return this.answer((lacks) => this.tokensOf(email, lacks));
  }

  holdsAny(datasourceId: DatasourceId, email: Email, tokens: readonly PrincipalToken[]): Promise<boolean> {
    return this.answer((lacks) => {
      const datasource = this.memory.datasource(datasourceId);
      if (datasource === undefined || datasource.access !== "open") return false;
      const row = this.rowsOf(email, lacks)?.get(datasourceId);
      if (row === undefined || !row.registered) return false;
      if (tokens.includes(datasource.token) || tokens.includes(row.token)) return true;
      const { closure } = this.unionFor(email, datasource, row, lacks);
      return tokens.some((token) => this.isIn(closure, datasource, token, lacks));
    });
  }

  isParked(datasourceId: DatasourceId): Promise<boolean> {
    return this.answer(() => this.memory.datasource(datasourceId)?.access === "suspended");
  }

  people(after: string | null): Promise<HeldPage<PersonOfDatasource>> {
    return heldPeople(this.session, after);
  }

  groups(after: string | null): Promise<HeldPage<HeldGroup>> {
    return heldGroups(this.session, after);
  }

  /** Tries to answer from memory, reads what was lacking, and tries again, until nothing is lacking. */
  private async answer<Value>(attempt: (lacks: Lacks) => Value): Promise<Value> {
    let state = await this.session.state("groupClosure");
    for (let round = 0; round < maxRounds; round++) {
      const lacks = new Lacks();
      const isBehind = this.isBehind(state);
      if (!isBehind) {
        const value = attempt(lacks);
        if (lacks.isEmpty) return value;
      }
      const isOfStore = await (isBehind ? this.refresh(state.store) : this.read(lacks, state.store));
      if (!isOfStore) state = await this.session.state("groupClosure");
    }
    throw new ReadModelUnavailable("The group closure in Redis changed faster than it could be read.");
  }

  private refresh(store: string): Promise<boolean> {
    this.refreshing ??= this.read(new Lacks(), store).finally(() => (this.refreshing = null));
    return this.refreshing;
  }

  /** The memory may be ahead of the state: another question was answered since. */
  private isBehind({ cacheEpoch, groupClosure: { version } }: State): boolean {
    return (
      this.memory.cacheEpoch !== cacheEpoch ||
      (this.memory.version !== version && countOf(this.memory.version) <= countOf(version))
    );
  }

  /**
   * Brings the memory up to the moment of the reading, and remembers what was read. False where the store is another
   * one by now.
   */
  private async read(lacks: Lacks, store: string): Promise<boolean> {
    const { version } = this.memory;
    const reads = lacks.toReads(this.memory);
    const perRead: number[] = [];
    const snapshot = await this.session.snapshot(store, (keys) => {
      const commands = reads.map((read) => read.commands(keys));
      perRead.push(...commands.map((ofRead) => ofRead.length));
      return [...newsCommands(version, keys), ...commands.flat()];
    });
    await this.session.served.assertServable(snapshot.state, "groupClosure");
    if (snapshot.state.store !== store) return false;
    if (!this.catchUp(snapshot, version)) return true;
    let from = 2;
    reads.forEach((read, place) => {
      const to = from + (perRead[place] as number);
      read.remember(snapshot.replies.slice(from, to));
      from = to;
    });
    return true;
  }

  /** False where the memory is ahead already, so that what was read does not fit it. */
  private catchUp({ state, replies }: Snapshot, asked: string): boolean {
    const { memory } = this;
    const {
      cacheEpoch,
      groupClosure: { version },
    } = state;
    const isSameCacheEpoch = memory.cacheEpoch === cacheEpoch;
    if (isSameCacheEpoch && memory.version === version) return true;
    if (memory.cacheEpoch > cacheEpoch || (isSameCacheEpoch && countOf(memory.version) > countOf(version)))
      return false;
    const { datasources, entries } = toNews(asked, replies);
    const news = isSameCacheEpoch && entries !== null ? entriesAfter(memory.version, asked, entries) : null;
    if (news === null) memory.startAgain(version, cacheEpoch, datasources);
    else memory.follow(version, news, datasources);
    return true;
  }

  private rowsOf(email: Email, lacks: Lacks): ReadonlyMap<DatasourceId, PersonAccess> | undefined {
    const person = this.memory.person(email);
    if (person === undefined) lacks.lacksPerson(email);
    return person?.rows;
  }

  /** Direct groups and all their ancestors; meaningless where something is lacking. */
  private unionFor(
    email: Email,
    { datasourceId, groups }: KnownDatasource,
    row: PersonAccess,
    lacks: Lacks,
  ): KnownUnion {
    const key = `${datasourceId} ${email}`;
    const known = this.unions.get(key);
    if (known?.row === row && this.memory.unchangedSince(known.asOf, datasourceId, known.closure)) {
      known.asOf = this.memory.entries;
      return known;
    }
    const sets = [row.groups];
    for (const index of row.groups) {
      const group = groups.get(index);
      if (group === undefined) lacks.lacksGroup(datasourceId, index);
      else sets.push(group.ancestors);
    }
    const union = { row, closure: lacks.isEmpty ? unionOf(sets) : row.groups, asOf: this.memory.entries };
    if (lacks.isEmpty) this.unions.set(key, union);
    return union;
  }

  private isIn(
    closure: SortedIndexes,
    { datasourceId, indexes }: KnownDatasource,
    token: PrincipalToken,
    lacks: Lacks,
  ): boolean {
    const index = indexes.get(token);
    if (index === undefined) lacks.lacksToken(datasourceId, token);
    return index !== undefined && index !== null && contains(closure, index);
  }

  private tokensOf(email: Email, lacks: Lacks): HeldTokens {
    const registrations = this.registrationsOf(email, lacks);
    const parts = registrations.flatMap(({ datasource, union }) => [datasource, union]);
    const known = this.held.get(email);
    if (
      lacks.isEmpty &&
      known?.parts.length === parts.length &&
      parts.every((part, place) => part === known.parts[place])
    )
      return known.tokens;
    const list = registrations.flatMap((registration) => tokensOn(registration, lacks));
    const tokens = toHeldTokens(list);
    if (lacks.isEmpty) this.held.set(email, { parts, tokens });
    return tokens;
  }

  /** Always in the same order. */
  private registrationsOf(email: Email, lacks: Lacks): readonly Registration[] {
    const rows = [...(this.rowsOf(email, lacks) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
    return rows.flatMap(([datasourceId, row]) => {
      const datasource = this.memory.datasource(datasourceId);
      if (datasource === undefined || datasource.access !== "open" || !row.registered) return [];
      return [{ datasource, union: this.unionFor(email, datasource, row, lacks) }];
    });
  }
}

/**
 * The entries after `version`, which another reading may have reached since, out of those after `asked`; null where
 * `version` is not among them.
 */
function entriesAfter(
  version: string,
  asked: string,
  entries: NonNullable<ClosureNews["entries"]>,
): readonly JournalEntry[] | null {
  const place = entries.findIndex((entry) => entry.version === version);
  return place === -1 && version !== asked ? null : entries.slice(place + 1).map(({ entry }) => entry);
}

function tokensOn({ datasource, union: { row, closure } }: Registration, lacks: Lacks): readonly PrincipalToken[] {
  const tokens = [datasource.token, row.token];
  if (!lacks.isEmpty) return tokens;
  for (const index of closure) {
    const group = datasource.groups.get(index);
    if (group === undefined) lacks.lacksGroup(datasource.datasourceId, index);
    else tokens.push(group.token);
  }
  return tokens;
}

const fieldsPerPage = "500";

/** A page of a hash: fields and values in turns. */
interface HashPage {
  readonly datasourceId: DatasourceId;
  readonly entries: readonly (readonly [field: string, value: Buffer])[];
  readonly store: string;
  readonly next: string | null;
}

/** The people of one datasource after the other. */
async function heldPeople(session: ReadSession, after: string | null): Promise<HeldPage<PersonOfDatasource>> {
  const page = await scan(session, after, (keys, datasourceId) => keys.people(datasourceId));
  if (page === null) return { items: [], next: null };
  const { datasourceId, entries, next } = page;
  const registered = entries.filter(([, row]) => unpackPerson(row).registered);
  return { items: registered.map(([email]) => ({ datasourceId, email: toStoredEmail(email) })), next };
}

/** The groups of one datasource after the other. What is above them is read after them. */
async function heldGroups(session: ReadSession, after: string | null): Promise<HeldPage<HeldGroup>> {
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

/** How many groups are read at once: more would hold up Redis and this process alike. */
const maxGroupsPerRead = 2_000;

/** What an answer lacks. It is collected while the answer is tried from memory, then read together. */
class Lacks {
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
interface ClosureRead {
  commands(keys: RowKeys): readonly RedisCommand[];
  remember(replies: readonly RedisReply[]): void;
}

/** Reads the datasources, and the journal from a version on. */
const newsCommands = (version: string, keys: RowKeys): readonly RedisCommand[] => [
  ["HGETALL", keys.datasources],
  ["XRANGE", keys.journal, version, "+", "COUNT", String(keptEntries + 1)],
];

/** What has changed in a closure since a version. */
interface ClosureNews {
  readonly datasources: ReadonlyMap<DatasourceId, string>;
  /** Each with the version that it led to; null where the journal does not reach back that far. */
  readonly entries: readonly { readonly version: string; readonly entry: JournalEntry }[] | null;
}

/** Takes the replies of {@link newsCommands}. */
function toNews(version: string, [datasources, journal]: readonly RedisReply[]): ClosureNews {
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
