import type { DatasourceAccess } from "../../../../projections/groupClosure/ports.js";
import type { DatasourceId, PrincipalToken } from "../../../shared/ids.js";
import { contains, fromBytes, unionOf, type SortedIndexes } from "../../../shared/sortedIndexes.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { followEntry, unpackEntry, type JournalEntry } from "./closureJournal.js";
import { keptEpochs } from "./readModelSchema.js";

interface KnownGroup {
  readonly token: PrincipalToken;
  readonly ancestors: SortedIndexes;
}

export interface KnownDatasource {
  readonly key: number;
  readonly datasourceId: DatasourceId;
  /** The token of everybody registered. */
  readonly token: PrincipalToken;
  access: DatasourceAccess;
  readonly groups: Map<number, KnownGroup>;
  /** Ancestors of groups whose rows are behind the journal. */
  readonly moved: Map<number, SortedIndexes>;
  /** The group that has this token now; null where none has. */
  readonly indexes: Map<PrincipalToken, number | null>;
}

interface Epoch {
  readonly epoch: number;
  readonly datasource: number;
  /** null: anything may have changed, and the rows are right. */
  readonly entry: JournalEntry | null;
}

const maxKnownPerDatasource = 250_000;
const maxMovedPerDatasource = 50_000;
const maxCompared = 10_000;
const never = -1;

/**
 * What a reader holds of datasources and groups, right as of the last `refresh`. The epochs since then say which groups
 * to forget, so a change costs a reader only what it changed. To be used within a snapshot, after `refresh`.
 */
export class ClosureMemory {
  private readonly datasources = new Map<number, KnownDatasource>();
  private readonly keys = new Map<DatasourceId, number>();
  private epochs: readonly Epoch[] = [];
  private current = never;
  private mayRead = 0;
  private readonly statements;

  constructor(database: SqliteDatabase) {
    this.statements = {
      latest: database.prepare<[], number | null>("SELECT max(epoch) FROM closure_epochs").pluck(),
      epochs: database
        .prepare<[number], readonly [number, number, Buffer | null]>(
          "SELECT epoch, datasource, groups FROM closure_epochs WHERE epoch > ? ORDER BY epoch",
        )
        .raw(),
      datasources: database
        .prepare<[], readonly [number, DatasourceId, PrincipalToken, DatasourceAccess]>(
          "SELECT id, datasource_id, token, access FROM closure_datasources",
        )
        .raw(),
      group: database
        .prepare<[number, number], readonly [PrincipalToken, Buffer]>(
          "SELECT token, ancestors FROM closure_groups WHERE datasource = ? AND idx = ?",
        )
        .raw(),
      folded: database.prepare<[], number>("SELECT version FROM versions WHERE read_model = 'foldedEpochs'").pluck(),
      indexOfToken: database
        .prepare<[number, string], number>("SELECT idx FROM closure_groups WHERE datasource = ? AND token = ?")
        .pluck(),
    };
  }

  /** Grows with every change of groups or of a datasource. */
  get epoch(): number {
    return this.current;
  }

  /** Becomes right as of this snapshot. At most `mayRead` groups are read until the next refresh. */
  refresh(mayRead: number): void {
    this.mayRead = mayRead;
    const latest = this.statements.latest.get() ?? 0;
    if (latest === this.current) return;
    const news = this.current === never ? [] : this.readEpochs(this.current);
    const isGapless = news[0]?.epoch === this.current + 1;
    this.current = latest;
    if (isGapless) this.follow(news);
    else this.startAgain();
  }

  byKey(key: number): KnownDatasource | undefined {
    return this.datasources.get(key);
  }

  byId(datasourceId: DatasourceId): KnownDatasource | undefined {
    return this.datasources.get(this.keys.get(datasourceId) ?? never);
  }

  /** null where the next refresh has to read on. Throws where there is no such group. */
  group(datasource: KnownDatasource, index: number): KnownGroup | null {
    const known = datasource.groups.get(index);
    if (known !== undefined) return known;
    if (this.mayRead === 0) return null;
    this.mayRead--;
    const row = this.statements.group.get(datasource.key, index);
    if (row === undefined)
      throw new Error(`The group closure holds no group ${index} of datasource ${datasource.datasourceId}.`);
    const group = { token: row[0], ancestors: datasource.moved.get(index) ?? fromBytes(row[1]) };
    if (datasource.groups.size >= maxKnownPerDatasource) datasource.groups.clear();
    datasource.groups.set(index, group);
    return group;
  }

  /** These groups with all their ancestors; null where the next refresh has to read on. */
  closureOf(datasource: KnownDatasource, groups: SortedIndexes): SortedIndexes | null {
    const sets = [groups];
    for (const index of groups) {
      const group = this.group(datasource, index);
      if (group === null) return null;
      sets.push(group.ancestors);
    }
    return unionOf(sets);
  }

  /** The group that has this token now; null where none has. */
  indexOfToken(datasource: KnownDatasource, token: PrincipalToken): number | null {
    const known = datasource.indexes.get(token);
    if (known !== undefined) return known;
    const index = this.statements.indexOfToken.get(datasource.key, token) ?? null;
    if (datasource.indexes.size >= maxKnownPerDatasource) datasource.indexes.clear();
    datasource.indexes.set(token, index);
    return index;
  }

  /**
   * True where none of these groups has changed after `epoch`. False also where telling would cost more than reading
   * again.
   */
  unchangedSince(epoch: number, datasource: KnownDatasource, groups: SortedIndexes): boolean {
    if (epoch === this.current) return true;
    if ((this.epochs[0]?.epoch ?? Number.POSITIVE_INFINITY) > epoch + 1) return false;
    let compared = 0;
    return this.epochs
      .filter((later) => later.epoch > epoch && later.datasource === datasource.key)
      .every(({ entry }) => {
        if (entry === null) return false;
        compared += entry.named.length + entry.moved.size;
        return compared < maxCompared && !indexesOf(entry).some((index) => contains(groups, index));
      });
  }

  private readEpochs(after: number): readonly Epoch[] {
    const toEpoch = ([epoch, datasource, entry]: readonly [number, number, Buffer | null]): Epoch => ({
      epoch,
      datasource,
      entry: entry === null ? null : unpackEntry(entry),
    });
    return this.statements.epochs.all(after).map(toEpoch);
  }

  private startAgain(): void {
    this.epochs = [];
    this.datasources.clear();
    this.readDatasources();
    for (const epoch of this.readEpochs(this.statements.folded.get() ?? 0)) this.followEpoch(epoch);
  }

  private follow(news: readonly Epoch[]): void {
    this.epochs = [...this.epochs, ...news].slice(-keptEpochs);
    this.readDatasources();
    for (const epoch of news) this.followEpoch(epoch);
    if ([...this.datasources.values()].some(({ moved }) => moved.size > maxMovedPerDatasource)) this.startAgain();
  }

  private followEpoch({ datasource: key, entry }: Epoch): void {
    const datasource = this.datasources.get(key);
    if (datasource === undefined) return;
    datasource.indexes.clear();
    if (entry === null) {
      datasource.groups.clear();
      datasource.moved.clear();
      return;
    }
    for (const index of indexesOf(entry)) datasource.groups.delete(index);
    followEntry(datasource.moved, entry, ({ ancestors }) => ancestors);
  }

  private readDatasources(): void {
    const before = new Map(this.datasources);
    this.datasources.clear();
    this.keys.clear();
    for (const [key, datasourceId, token, access] of this.statements.datasources.all()) {
      const datasource = before.get(key) ?? {
        key,
        datasourceId,
        token,
        access,
        groups: new Map(),
        moved: new Map(),
        indexes: new Map(),
      };
      datasource.access = access;
      this.datasources.set(key, datasource);
      this.keys.set(datasourceId, key);
    }
  }
}

const indexesOf = ({ named, moved }: JournalEntry): readonly number[] => [...named, ...moved.keys()];
