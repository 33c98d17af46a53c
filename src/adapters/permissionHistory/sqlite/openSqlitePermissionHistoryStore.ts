import type { FactOrigin, PermissionFact, PermissionHistoryChange } from "../../../../projections/permissionHistory/changes.js";
import type { PermissionHistoryStore } from "../../../../projections/permissionHistory/ports.js";
import type { ProjectionBatch } from "../../../../projections/ports.js";
import type { DatasourceId } from "../../../shared/ids.js";
import type { Position, Revision } from "../../../shared/position.js";
import { ChangeSignal } from "../../sqlite/changeSignal.js";
import { Checkpoints } from "../../sqlite/checkpoints.js";
import { openForWriting, type SqliteDatabase } from "../../sqlite/database.js";
import { Interning } from "./interning.js";
import { IntervalRows } from "./intervalRows.js";
import { OriginRows, type Subject } from "./originRows.js";
import { permissionHistoryFile, permissionHistoryProjection, principalKinds, subjectKinds } from "./permissionHistorySchema.js";

/** Rows of one document or group lie all over the file: with SQLite's usual 2 MB every other page would be read again. */
const cacheKibibytes = 65_536;
/** 32 MiB: a page that many commits touch is copied back once. */
const checkpointPages = 8_192;

/** Opens `permissionHistory.sqlite` for its projection; creates it where it is missing. */
export function openSqlitePermissionHistoryStore({ file }: { readonly file: string }): PermissionHistoryStore & { close(): void } {
  return new SqlitePermissionHistoryStore(file);
}

class SqlitePermissionHistoryStore implements PermissionHistoryStore {
  private readonly database: SqliteDatabase;
  private readonly changed: ChangeSignal;
  private readonly checkpoints: Checkpoints;
  private readonly interning: Interning;
  private readonly origins: OriginRows;
  private readonly intervals: IntervalRows;
  private readonly insertSuspension;
  private readonly selectSuspended;
  private readonly selectOpened;
  /** By datasource: whether an event of it is parked. */
  private readonly suspended = new Map<DatasourceId, boolean>();

  constructor(file: string) {
    this.database = openForWriting({ ...permissionHistoryFile(file), onEmptied: () => undefined });
    this.database.pragma(`cache_size = -${cacheKibibytes}`);
    this.database.pragma(`wal_autocheckpoint = ${checkpointPages}`);
    this.changed = new ChangeSignal(file);
    this.checkpoints = new Checkpoints(this.database, permissionHistoryProjection);
    this.interning = new Interning(this.database);
    this.origins = new OriginRows(this.database, this.interning);
    this.intervals = new IntervalRows(this.database, this.interning);
    this.insertSuspension = this.database.prepare<unknown[]>("INSERT OR IGNORE INTO suspensions VALUES (?, ?)");
    this.selectOpened = this.database.prepare<unknown[], number>("SELECT 1 FROM generations WHERE datasource_id = ? AND opened IS NOT NULL").pluck();
    this.selectSuspended = this.database.prepare<unknown[], number>("SELECT 1 FROM suspensions WHERE datasource_id IN (?, '')").pluck();
  }

  async checkpoint(): Promise<Position> {
    return this.checkpoints.read();
  }

  async write(batch: ProjectionBatch<PermissionHistoryChange>): Promise<"applied" | "outrun"> {
    try {
      const outcome = this.checkpoints.commit(batch, () => batch.changes.forEach((change) => this.follow(change)));
      if (outcome === "applied") this.changed.announce();
      else this.forget();
      return outcome;
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  close(): void {
    this.changed.close();
    this.database.close();
  }

  private forget(): void {
    this.interning.forget();
    this.origins.forget();
    this.suspended.clear();
  }

  private follow({ origin, fact }: PermissionHistoryChange): void {
    this.origins.record(origin, fact === null ? null : this.followFact(fact, origin));
  }

  /** Answers with whose stream the fact stands in, where it is of a kind that comes in numbers. */
  private followFact(fact: PermissionFact, origin: FactOrigin): Subject | null {
    const { position, revision } = origin;
    if (fact.kind === "datasourceSuspended") return this.suspend(fact.datasourceId, position);
    if (this.isSuspended(fact.datasourceId)) return null;
    const generation = this.interning.generation(fact.datasourceId);
    switch (fact.kind) {
      case "generationOpened":
        this.intervals.openGeneration(generation, fact.name, position);
        return null;
      case "generationClosed":
        this.intervals.closeGeneration(generation, position);
        return null;
      case "personRegistered":
        return this.register(generation, fact, position);
      case "groupNamed":
        return this.nameGroup(generation, fact, position);
      case "memberJoined":
      case "memberLeft":
        return this.followMember(generation, fact, position);
      case "documentIndexed":
      case "documentDeleted":
        return this.followDocument(generation, fact, position, revision);
    }
  }

  /** Of a datasource that was never seen to be registered nobody knows the name: any could be meant. */
  private suspend(datasourceId: DatasourceId | null, position: Position): null {
    const isKnown = datasourceId !== null && this.selectOpened.get(datasourceId) === 1;
    this.insertSuspension.run(isKnown ? datasourceId : "", position);
    this.suspended.clear();
    return null;
  }

  private isSuspended(datasourceId: DatasourceId): boolean {
    const known = this.suspended.get(datasourceId);
    if (known !== undefined) return known;
    const isSuspended = this.selectSuspended.get(datasourceId) === 1;
    this.suspended.set(datasourceId, isSuspended);
    return isSuspended;
  }

  private register(generation: number, { email }: FactOf<"personRegistered">, position: Position): Subject {
    const person = this.interning.principal(generation, principalKinds.user, email);
    this.intervals.register(person, position);
    return { kind: subjectKinds.person, number: person };
  }

  private nameGroup(generation: number, { groupId, name }: FactOf<"groupNamed">, position: Position): Subject {
    const principal = this.interning.principal(generation, principalKinds.groupName, name);
    this.intervals.nameGroup(this.interning.group(generation, groupId), principal, position);
    return { kind: subjectKinds.generation, number: generation };
  }

  private followMember(generation: number, { kind, groupId, member }: FactOf<"memberJoined" | "memberLeft">, position: Position): Subject {
    const group = this.interning.group(generation, groupId);
    const isPerson = member.kind === "user";
    const number = isPerson ? this.interning.principal(generation, principalKinds.user, member.email) : this.interning.group(generation, member.groupId);
    this.intervals[kind === "memberJoined" ? "join" : "leave"](isPerson ? "memberships" : "nestings", number, group, position);
    return isPerson ? { kind: subjectKinds.person, number } : { kind: subjectKinds.generation, number: generation };
  }

  private followDocument(generation: number, fact: FactOf<"documentIndexed" | "documentDeleted">, position: Position, revision: Revision): Subject {
    const document = this.interning.document(generation, fact.documentId, revision === 0);
    if (fact.kind === "documentIndexed") this.intervals.indexDocument(generation, document, fact.access, position);
    else this.intervals.deleteDocument(document.id, position);
    return { kind: subjectKinds.document, number: document.id };
  }
}

type FactOf<Kind extends PermissionFact["kind"]> = Extract<PermissionFact, { readonly kind: Kind }>;
