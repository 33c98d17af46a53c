import { LRUCache } from "lru-cache";
import type { DatasourceAccess } from "../../../../projections/groupClosure/ports.js";
import type { DatasourceId, Email, PrincipalToken } from "../../../shared/ids.js";
import { contains, type SortedIndexes } from "../../../shared/sortedIndexes.js";
import { parseDatasource } from "./rowKeys.js";
import { keptEntries, type JournalEntry } from "./journalEntry.js";
import type { GroupAccess, PersonAccess } from "./packedRows.js";
import { firstVersion } from "./readModelState.js";

export interface KnownDatasource {
  readonly datasourceId: DatasourceId;
  /** The token of everybody registered. */
  readonly token: PrincipalToken;
  access: DatasourceAccess;
  readonly groups: Map<number, GroupAccess>;
  /** The group that has this token now; null where none has. */
  readonly indexes: Map<PrincipalToken, number | null>;
}

/** A registered person's rows. */
interface KnownPerson {
  readonly rows: ReadonlyMap<DatasourceId, PersonAccess>;
  /** Right as of this many journal entries. */
  asOf: number;
}

const maxKnownPerDatasource = 250_000;
/** How many indexes of people's direct groups are remembered: some 20 MB. */
const maxRemembered = 4_000_000;

/**
 * What a reader holds of the group closure, all of it right as of one version. The journal says what to forget on the
 * way to the next version, so a commit costs a reader only what it changed.
 */
export class ClosureMemory {
  version = firstVersion;
  cacheEpoch = 0;
  private known = new Map<DatasourceId, KnownDatasource>();
  private readonly people = new LRUCache<Email, KnownPerson>({ maxSize: maxRemembered, sizeCalculation: sizeOf });
  private recent: readonly JournalEntry[] = [];
  private followed = 0;

  /** How many entries were followed so far. It stamps what is remembered. */
  get entries(): number {
    return this.followed;
  }

  get datasources(): Iterable<KnownDatasource> {
    return this.known.values();
  }

  datasource(datasourceId: DatasourceId): KnownDatasource | undefined {
    return this.known.get(datasourceId);
  }

  /** undefined where nothing is known of the person that still holds. */
  person(email: Email): KnownPerson | undefined {
    const person = this.people.get(email);
    if (person === undefined || person.asOf === this.followed) return person;
    const since = this.since(person.asOf);
    if (since === null || since.some(({ people }) => people === null || people.has(email))) return undefined;
    person.asOf = this.followed;
    return person;
  }

  rememberPerson(email: Email, rows: KnownPerson["rows"]): void {
    this.people.set(email, { rows, asOf: this.followed });
  }

  rememberGroup(datasourceId: DatasourceId, index: number, group: GroupAccess): void {
    remember(this.known.get(datasourceId)?.groups, index, group);
  }

  rememberToken(datasourceId: DatasourceId, token: PrincipalToken, index: number | null): void {
    remember(this.known.get(datasourceId)?.indexes, token, index);
  }

  /** True where none of these groups has changed after this many entries. False also where that is no longer known. */
  unchangedSince(asOf: number, datasourceId: DatasourceId, groups: SortedIndexes): boolean {
    if (asOf === this.followed) return true;
    return (
      this.since(asOf)?.every((entry) => {
        const changed = entry.groups.get(datasourceId);
        if (changed === undefined) return true;
        return changed !== null && ![...changed].some((index) => contains(groups, index));
      }) ?? false
    );
  }

  /** Goes on to a later version, over all entries in between. */
  follow(version: string, entries: readonly JournalEntry[], datasources: ReadonlyMap<DatasourceId, string>): void {
    this.version = version;
    this.readDatasources(datasources);
    for (const entry of entries) this.forgetChanged(entry);
    this.recent = [...this.recent, ...entries].slice(-keptEntries);
    this.followed += entries.length;
  }

  /** Forgets everything. */
  startAgain(version: string, cacheEpoch: number, datasources: ReadonlyMap<DatasourceId, string>): void {
    this.version = version;
    this.cacheEpoch = cacheEpoch;
    this.known.clear();
    this.people.clear();
    this.recent = [];
    this.followed++;
    this.readDatasources(datasources);
  }

  private since(asOf: number): readonly JournalEntry[] | null {
    const missed = this.followed - asOf;
    return missed > this.recent.length ? null : this.recent.slice(this.recent.length - missed);
  }

  private forgetChanged({ groups }: JournalEntry): void {
    for (const [datasourceId, indexes] of groups) {
      const datasource = this.known.get(datasourceId);
      datasource?.indexes.clear();
      if (indexes === null) datasource?.groups.clear();
      else for (const index of indexes) datasource?.groups.delete(index);
    }
  }

  private readDatasources(rows: ReadonlyMap<DatasourceId, string>): void {
    const before = this.known;
    this.known = new Map();
    for (const [datasourceId, text] of rows) {
      const { access, token } = parseDatasource(text);
      const datasource = before.get(datasourceId) ?? {
        datasourceId,
        token,
        access,
        groups: new Map(),
        indexes: new Map(),
      };
      datasource.access = access;
      this.known.set(datasourceId, datasource);
    }
  }
}

function remember<Key, Value>(memory: Map<Key, Value> | undefined, key: Key, value: Value): void {
  if (memory === undefined) return;
  if (memory.size >= maxKnownPerDatasource) memory.clear();
  memory.set(key, value);
}

function sizeOf({ rows }: KnownPerson): number {
  let size = 16;
  for (const { groups } of rows.values()) size += 16 + groups.length;
  return size;
}
