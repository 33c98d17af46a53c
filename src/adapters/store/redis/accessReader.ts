import { LRUCache } from "lru-cache";
import type { AccessReader, Checkpointed, HeldGroup, HeldPage, PersonOfDatasource } from "../../../../queries/ports.js";
import { toHeldTokens, type HeldTokens } from "../../../readModels/search.js";
import type { DatasourceId, Email, PrincipalToken } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import { ReadModelUnavailable } from "../../../shared/readModelUnavailable.js";
import { contains, unionOf, type SortedIndexes } from "../../../shared/sortedIndexes.js";
import { ClosureMemory, type KnownDatasource } from "./closureMemory.js";
import { Lacks, newsCommands, toNews, type ClosureNews } from "./closureReads.js";
import { heldGroups, heldPeople } from "./heldRows.js";
import type { JournalEntry } from "./journalEntry.js";
import type { PersonAccess } from "./packedRows.js";
import { countOf } from "./readModelState.js";
import type { ReadSession, Snapshot } from "./readSession.js";
import type { State } from "./servedState.js";

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
