import type { Statement } from "better-sqlite3";
import type {
  DatasourceAccess,
  GroupClosureBatch,
  GroupClosureStore,
  GroupRow,
  GroupRows,
  PersonKey,
  PersonRow,
  HoldingLimits,
} from "../../../../projections/groupClosure/ports.js";
import type { DatasourceId, Email, GroupId, PrincipalToken } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import { fromBytes, toBytes } from "../../../shared/sortedIndexes.js";
import type { ChangeSignal } from "../../sqlite/changeSignal.js";
import { Checkpoints } from "../../sqlite/checkpoints.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { followEntry, packEntry, unpackEntry, type GroupPlace } from "./closureJournal.js";
import { keptEpochs } from "./readModelSchema.js";

/**
 * If one transaction changes more groups than this, they are written as rows, and readers forget the datasource's
 * groups.
 */
const maxJournaledGroups = 4_096;
/** When the journal alone holds this many epochs, they are folded into the rows. */
const maxUnfoldedEpochs = 256;

type StoredGroup = readonly [
  index: number,
  groupId: string,
  name: string,
  token: string,
  parents: Buffer,
  ancestors: Buffer,
];
type StoredPerson = readonly [registered: number, token: string, groups: Buffer];

/** The group closure's rows in `readModels.sqlite`. */
export class SqliteGroupClosureStore implements GroupClosureStore {
  private readonly checkpoints: Checkpoints;
  private readonly statements: Statements;

  constructor(
    private readonly database: SqliteDatabase,
    private readonly changed: ChangeSignal,
    readonly holdingLimits?: HoldingLimits,
  ) {
    this.checkpoints = new Checkpoints(database, "groupClosure");
    this.statements = prepareStatements(database);
  }

  async checkpoint(): Promise<Position> {
    return this.checkpoints.read();
  }

  async access(datasourceId: DatasourceId): Promise<DatasourceAccess | null> {
    return this.statements.selectAccess.get(datasourceId) ?? null;
  }

  async groups(datasourceId: DatasourceId): Promise<readonly GroupRow[]> {
    return this.database.transaction(() => {
      const places = this.unfolded().get(this.datasourceKeys()(datasourceId));
      return this.statements.selectGroups
        .all(datasourceId)
        .map((row) => ({ ...toGroupRow(row), ...places?.get(row[0]) }));
    })();
  }

  /** In the order of the index and in one read transaction, which makes many look-ups cheap. */
  async people(keys: readonly PersonKey[]): Promise<readonly PersonRow[]> {
    const ids = this.datasourceKeys();
    const read = (key: PersonKey): readonly PersonRow[] => {
      const row = this.statements.selectPerson.get(key.email, ids(key.datasourceId));
      return row === undefined ? [] : [toPersonRow(key, row)];
    };
    return this.database.transaction(() => inIndexOrder(keys).flatMap(read))();
  }

  async write(batch: GroupClosureBatch): Promise<"applied" | "checkpointConflict"> {
    const outcome = this.checkpoints.commit({ ...batch, changes: [] }, () => this.writeRows(batch));
    if (outcome === "applied") this.changed.announce();
    return outcome;
  }

  private writeRows({ datasources, groups, people, closed }: GroupClosureBatch): void {
    const { statements } = this;
    for (const { datasourceId, anonymousToken, access } of datasources) {
      statements.upsertDatasource.run(datasourceId, anonymousToken, access);
    }
    const ids = this.datasourceKeys();
    if (datasources.length > 0) this.fold();
    for (const { datasourceId } of datasources) this.advanceEpoch(ids(datasourceId), null);
    for (const [datasourceId, rows] of groups) this.writeGroups(ids(datasourceId), rows);
    for (const person of inIndexOrder(people)) {
      statements.upsertPerson.run(
        person.email,
        ids(person.datasourceId),
        person.registered ? 1 : 0,
        person.token,
        toBytes(person.groups),
      );
    }
    for (const datasourceId of closed) this.close(ids(datasourceId));
    if (this.latestEpoch() - this.foldedEpochs() >= maxUnfoldedEpochs) this.fold();
  }

  private writeGroups(datasource: number, rows: GroupRows): void {
    const { named, moved } = rows;
    if (named.length + moved.length === 0) return;
    const isBulk = named.length + moved.length > maxJournaledGroups;
    if (isBulk) this.fold();
    for (const { index, groupId, name, token, parents, ancestors } of named) {
      this.statements.upsertGroup.run(datasource, index, groupId, name, token, toBytes(parents), toBytes(ancestors));
    }
    if (isBulk) for (const row of moved) this.moveGroup(datasource, row.index, row);
    this.advanceEpoch(datasource, isBulk ? null : packEntry(rows));
  }

  private moveGroup(datasource: number, index: number, { parents, ancestors }: GroupPlace): void {
    this.statements.moveGroup.run(toBytes(parents), toBytes(ancestors), datasource, index);
  }

  /** Brings the rows up to the journal. */
  private fold(): void {
    for (const [datasource, places] of this.unfolded()) {
      for (const [index, place] of places) this.moveGroup(datasource, index, place);
    }
    this.statements.setFoldedEpochs.run(this.latestEpoch());
  }

  /** By datasource, the places that differ from the rows. */
  private unfolded(): ReadonlyMap<number, ReadonlyMap<number, GroupPlace>> {
    const unfolded = new Map<number, Map<number, GroupPlace>>();
    for (const [datasource, entry] of this.statements.selectEntries.all(this.foldedEpochs())) {
      const places = unfolded.get(datasource) ?? new Map<number, GroupPlace>();
      unfolded.set(datasource, places);
      followEntry(places, unpackEntry(entry), (place) => place);
    }
    return unfolded;
  }

  private latestEpoch(): number {
    return this.statements.selectLatestEpoch.get() ?? 0;
  }

  private foldedEpochs(): number {
    return this.statements.selectFoldedEpochs.get() ?? 0;
  }

  private close(datasource: number): void {
    if (datasource === unknownDatasource) return;
    this.statements.deleteGroups.run(datasource);
    this.statements.deletePeople.run(datasource);
    this.statements.deleteDatasource.run(datasource);
    this.advanceEpoch(datasource, null);
  }

  private advanceEpoch(datasource: number, groups: Buffer | null): void {
    const { lastInsertRowid } = this.statements.insertEpoch.run(datasource, groups);
    this.statements.deleteEpochs.run(Math.min(this.foldedEpochs(), Number(lastInsertRowid) - keptEpochs));
  }

  /** Looks each datasource's row id up once. */
  private datasourceKeys(): (datasourceId: DatasourceId) => number {
    const known = new Map<DatasourceId, number>();
    return (datasourceId) => {
      const key = known.get(datasourceId) ?? this.statements.selectDatasource.get(datasourceId) ?? unknownDatasource;
      known.set(datasourceId, key);
      return key;
    };
  }
}

const unknownDatasource = -1;

interface Statements {
  readonly selectAccess: Statement<[string], DatasourceAccess>;
  readonly selectDatasource: Statement<[string], number>;
  readonly selectGroups: Statement<[string], StoredGroup>;
  readonly selectPerson: Statement<[string, number], StoredPerson>;
  readonly upsertDatasource: Statement<[string, string, string]>;
  readonly upsertGroup: Statement<[number, number, string, string, string, Buffer, Buffer]>;
  readonly moveGroup: Statement<[Buffer, Buffer, number, number]>;
  readonly upsertPerson: Statement<[string, number, number, string, Buffer]>;
  readonly deleteGroups: Statement<[number]>;
  readonly deletePeople: Statement<[number]>;
  readonly deleteDatasource: Statement<[number]>;
  readonly insertEpoch: Statement<[number, Buffer | null]>;
  readonly deleteEpochs: Statement<[number]>;
  readonly selectLatestEpoch: Statement<[], number | null>;
  readonly selectEntries: Statement<[number], readonly [number, Buffer]>;
  readonly selectFoldedEpochs: Statement<[], number>;
  readonly setFoldedEpochs: Statement<[number]>;
}

function prepareStatements(database: SqliteDatabase): Statements {
  return {
    selectAccess: database
      .prepare<[string], DatasourceAccess>("SELECT access FROM closure_datasources WHERE datasource_id = ?")
      .pluck(),
    selectDatasource: database
      .prepare<[string], number>("SELECT id FROM closure_datasources WHERE datasource_id = ?")
      .pluck(),
    selectGroups: database
      .prepare<[string], StoredGroup>(
        `SELECT idx, group_id, name, token, parents, ancestors FROM closure_groups
         WHERE datasource = (SELECT id FROM closure_datasources WHERE datasource_id = ?) ORDER BY idx`,
      )
      .raw(),
    selectPerson: database
      .prepare<[string, number], StoredPerson>(
        "SELECT registered, token, groups FROM closure_people WHERE email = ? AND datasource = ?",
      )
      .raw(),
    upsertDatasource: database.prepare(
      `INSERT INTO closure_datasources (datasource_id, token, access) VALUES (?, ?, ?)
       ON CONFLICT (datasource_id) DO UPDATE SET access = excluded.access`,
    ),
    upsertGroup: database.prepare(
      `INSERT INTO closure_groups VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (datasource, idx) DO UPDATE
       SET group_id = excluded.group_id, name = excluded.name, token = excluded.token, parents = excluded.parents, ancestors = excluded.ancestors`,
    ),
    moveGroup: database.prepare(
      "UPDATE closure_groups SET parents = ?, ancestors = ? WHERE datasource = ? AND idx = ?",
    ),
    upsertPerson: database.prepare(
      `INSERT INTO closure_people VALUES (?, ?, ?, ?, ?) ON CONFLICT (email, datasource) DO UPDATE
       SET registered = excluded.registered, token = excluded.token, groups = excluded.groups`,
    ),
    deleteGroups: database.prepare("DELETE FROM closure_groups WHERE datasource = ?"),
    deletePeople: database.prepare("DELETE FROM closure_people WHERE datasource = ?"),
    deleteDatasource: database.prepare("DELETE FROM closure_datasources WHERE id = ?"),
    insertEpoch: database.prepare("INSERT INTO closure_epochs (datasource, groups) VALUES (?, ?)"),
    deleteEpochs: database.prepare("DELETE FROM closure_epochs WHERE epoch <= ?"),
    selectLatestEpoch: database.prepare<[], number | null>("SELECT max(epoch) FROM closure_epochs").pluck(),
    selectEntries: database
      .prepare<[number], readonly [number, Buffer]>(
        "SELECT datasource, groups FROM closure_epochs WHERE epoch > ? AND groups IS NOT NULL ORDER BY epoch",
      )
      .raw(),
    selectFoldedEpochs: database
      .prepare<[], number>("SELECT version FROM versions WHERE read_model = 'foldedEpochs'")
      .pluck(),
    setFoldedEpochs: database.prepare("UPDATE versions SET version = ? WHERE read_model = 'foldedEpochs'"),
  };
}

const inIndexOrder = <Row extends PersonKey>(rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((a, b) => compareText(a.email, b.email));

const toGroupRow = ([index, groupId, name, token, parents, ancestors]: StoredGroup): GroupRow => ({
  index,
  groupId: groupId as GroupId,
  name,
  token: token as PrincipalToken,
  parents: fromBytes(parents),
  ancestors: fromBytes(ancestors),
});

const toPersonRow = ({ datasourceId, email }: PersonKey, [registered, token, groups]: StoredPerson): PersonRow => ({
  datasourceId,
  email: email as Email,
  registered: registered === 1,
  token: token as PrincipalToken,
  groups: fromBytes(groups),
});
/** Compares by code units: the same on every machine, whatever its locale. */
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
