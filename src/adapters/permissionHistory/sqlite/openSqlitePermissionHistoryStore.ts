import type {
  EventOrigin,
  FollowedEvent,
  HistoryScope,
  PermissionChange,
  PermissionHistoryChange,
  PermissionHistoryStore,
} from "../../../../projections/permissionHistory/ports.js";
import { EngineUnavailable, type ProjectionBatch } from "../../../../projections/ports.js";
import type { DatasourceId, Email } from "../../../shared/ids.js";
import type { Position } from "../../../shared/position.js";
import { ChangeSignal } from "../../sqlite/changeSignal.js";
import { Checkpoints } from "../../sqlite/checkpoints.js";
import { openForWriting, type SqliteDatabase } from "../../sqlite/database.js";
import { Interning, subjectOf, type StreamSubject } from "./interning.js";
import { IntervalRows } from "./intervalRows.js";
import { OriginRows } from "./originRows.js";
import { permissionHistoryFile, permissionHistoryProjection, principalKinds } from "./permissionHistorySchema.js";

/**
 * Rows of one document or group lie all over the file. With SQLite's default of 2 MB, every other page would be read
 * again.
 */
const cacheKibibytes = 65_536;

/** 32 MiB, so that a page which many commits touch is copied back once. */
const checkpointPages = 8_192;

/** Opens `permissionHistory.sqlite` for its projection; creates it where it is missing. */
export function openSqlitePermissionHistoryStore({
  file,
}: {
  readonly file: string;
}): PermissionHistoryStore & { close(): void } {
  return new SqlitePermissionHistoryStore(file);
}

class SqlitePermissionHistoryStore implements PermissionHistoryStore {
  private readonly database: SqliteDatabase;
  private readonly changed: ChangeSignal;
  private readonly checkpoints: Checkpoints;
  private readonly interning: Interning;
  private readonly origins: OriginRows;
  private readonly intervals: IntervalRows;
  private readonly suspensions: Suspensions;
  private readonly forgottenRows: ForgottenRows;
  /** The scope that the open transaction projects afresh. */
  private restoring: HistoryScope | null = null;

  constructor(file: string) {
    this.database = openForWriting({ ...permissionHistoryFile(file), onEmptied: () => undefined });
    this.database.pragma(`cache_size = -${cacheKibibytes}`);
    this.database.pragma(`wal_autocheckpoint = ${checkpointPages}`);
    this.changed = new ChangeSignal(file);
    this.checkpoints = new Checkpoints(this.database, permissionHistoryProjection);
    this.interning = new Interning(this.database);
    this.origins = new OriginRows(this.database, this.interning);
    this.intervals = new IntervalRows(this.database, this.interning);
    this.suspensions = new Suspensions(this.database);
    this.forgottenRows = new ForgottenRows(this.database, this.interning);
  }

  async checkpoint(): Promise<Position> {
    if (this.database.inTransaction) this.takeBack();
    return this.checkpoints.read();
  }

  async write(
    batch: ProjectionBatch<PermissionHistoryChange>,
    staysOpen: boolean,
  ): Promise<"applied" | "checkpointConflict"> {
    if (staysOpen && !this.database.inTransaction) this.begin();
    try {
      // Within a transaction that stays open this is a part of it, and that part alone is taken back where it is at
      // fault.
      const outcome = this.checkpoints.commit(batch, () => this.applyAll(batch));
      if (outcome === "checkpointConflict") this.takeBack();
      else if (!staysOpen) this.finish();
      return outcome;
    } catch (error) {
      this.forget();
      if (!this.database.inTransaction) this.restoring = null;
      throw error;
    }
  }

  close(): void {
    this.changed.close();
    this.database.close();
  }

  private applyAll({ changes, parked }: ProjectionBatch<PermissionHistoryChange>): void {
    for (const change of changes) {
      if ("forgotten" in change) this.forgetScope(change.forgotten);
      else this.follow(change);
    }
    // What comes after the event at fault has not been projected afresh.
    const [fault] = parked;
    if (fault !== undefined && this.restoring?.kind === "all datasources")
      this.suspensions.suspend(null, fault.position);
  }

  private begin(): void {
    try {
      this.database.exec("BEGIN IMMEDIATE");
    } catch (error) {
      throw new EngineUnavailable((error as Error).message, { cause: error });
    }
  }

  private finish(): void {
    if (this.database.inTransaction) this.database.exec("COMMIT");
    this.restoring = null;
    this.changed.announce();
  }

  private takeBack(): void {
    if (this.database.inTransaction) this.database.exec("ROLLBACK");
    this.restoring = null;
    this.forget();
  }

  private forget(): void {
    this.interning.forget();
    this.origins.forget();
    this.suspensions.forget();
  }

  private forgetScope(scope: HistoryScope): void {
    this.restoring = scope;
    if (scope.kind === "events") this.origins.beginAnew();
    else this.forgottenRows.forget(scope);
    this.suspensions.forget();
  }

  private follow({ origin, change, ...how }: FollowedEvent): void {
    const anew = how.anew === true;
    const subject = subjectOf(origin, this.interning);
    if (anew) this.origins.recordAnew(origin, subject);
    else this.origins.record(origin, subject);
    if (change === null) return;
    if (change.kind === "datasourceSuspended") this.suspend(change.datasourceId, origin);
    else if (!this.suspensions.holdFor(change.datasourceId, anew)) this.followChange(change, origin, subject, anew);
  }

  /** A datasource whose registration cannot be read is called by the name of its stream. */
  private suspend(datasourceId: DatasourceId | null, { position, category, streamId }: EventOrigin): void {
    if (datasourceId !== null && category === "datasource")
      this.intervals.openIncarnation(this.interning.incarnation(datasourceId), streamId, position);
    this.suspensions.suspend(datasourceId, position);
  }

  private followChange(
    change: Exclude<PermissionChange, ChangeOf<"datasourceSuspended">>,
    { position }: EventOrigin,
    subject: StreamSubject | null,
    anew: boolean,
  ): void {
    const incarnation = subject?.incarnation ?? this.interning.incarnation(change.datasourceId);
    switch (change.kind) {
      case "incarnationOpened":
        return this.intervals.openIncarnation(incarnation, change.name, position, anew);
      case "incarnationClosed":
        return this.intervals.closeIncarnation(incarnation, position);
      case "personRegistered":
        return this.intervals.register(
          incarnation,
          this.interning.principal(incarnation, principalKinds.user, change.email),
          change.name,
          position,
        );
      case "personRenamed":
        return this.intervals.namePerson(
          this.interning.principal(incarnation, principalKinds.user, change.email),
          change.name,
        );
      case "personDeleted":
        return this.intervals.deregister(
          this.interning.principal(incarnation, principalKinds.user, change.email),
          position,
        );
      case "groupDeleted":
        return this.intervals.endGroup(this.interning.group(incarnation, change.groupId), position);
      case "groupNamed":
        return this.intervals.nameGroup(
          this.interning.group(incarnation, change.groupId),
          this.interning.principal(incarnation, principalKinds.groupName, change.name),
          position,
        );
      case "memberJoined":
      case "memberLeft":
        return this.followMember(incarnation, change, position);
      case "membersReplaced":
        return this.replaceMembers(incarnation, change, position);
      case "documentIndexed":
        return this.intervals.indexDocument(
          incarnation,
          this.documentOf(incarnation, change, subject),
          change,
          position,
        );
      case "documentDeleted":
        return this.intervals.deleteDocument(this.documentOf(incarnation, change, subject).id, position);
      default:
        return change satisfies never;
    }
  }

  private followMember(
    incarnation: number,
    { kind, groupId, member }: ChangeOf<"memberJoined" | "memberLeft">,
    position: Position,
  ): void {
    const group = this.interning.group(incarnation, groupId);
    const isPerson = member.kind === "user";
    const number = isPerson
      ? this.interning.principal(incarnation, principalKinds.user, member.email)
      : this.interning.group(incarnation, member.groupId);
    this.intervals[kind === "memberJoined" ? "join" : "leave"](
      isPerson ? "memberships" : "nestings",
      number,
      group,
      position,
    );
  }

  private replaceMembers(
    incarnation: number,
    { groupId, joined, left }: ChangeOf<"membersReplaced">,
    position: Position,
  ): void {
    const group = this.interning.group(incarnation, groupId);
    const person = (email: Email): number => this.interning.principal(incarnation, principalKinds.user, email);
    for (const email of left) this.intervals.leave("memberships", person(email), group, position);
    for (const email of joined) this.intervals.join("memberships", person(email), group, position);
  }

  private documentOf(
    incarnation: number,
    { documentId }: ChangeOf<"documentIndexed" | "documentDeleted">,
    subject: StreamSubject | null,
  ): { readonly id: number; readonly isNew: boolean } {
    return subject === null
      ? this.interning.document(incarnation, documentId, false)
      : { id: subject.number, isNew: subject.isNew };
  }
}

type ChangeOf<Kind extends PermissionChange["kind"]> = Extract<PermissionChange, { readonly kind: Kind }>;

/** The datasources of which nothing is known from some position on, because an event of theirs is parked. */
class Suspensions {
  private readonly insert;
  private readonly selectOpened;
  private readonly select;
  /** Keyed by datasource and by whether it is projected afresh. */
  private readonly remembered = new Map<string, boolean>();

  constructor(database: SqliteDatabase) {
    this.insert = database.prepare<unknown[]>("INSERT OR IGNORE INTO suspensions VALUES (?, ?)");
    this.selectOpened = database
      .prepare<unknown[], number>("SELECT 1 FROM incarnations WHERE datasource_id = ? AND opened IS NOT NULL")
      .pluck();
    this.select = database
      .prepare<unknown[], number>("SELECT 1 FROM suspensions WHERE datasource_id IN (?, ?)")
      .pluck();
  }

  /** See {@link Interning.forget}. */
  forget(): void {
    this.remembered.clear();
  }

  /** A datasource whose registration was never seen has no known name, so it could be any datasource. */
  suspend(datasourceId: DatasourceId | null, position: Position): void {
    const isKnown = datasourceId !== null && this.selectOpened.get(datasourceId) === 1;
    this.insert.run(isKnown ? datasourceId : "", position);
    this.forget();
  }

  /**
   * Whether what happens to the datasource is passed over. A suspension of all datasources does not hold for one that
   * is projected afresh.
   */
  holdFor(datasourceId: DatasourceId, anew: boolean): boolean {
    const key = `${anew} ${datasourceId}`;
    const known = this.remembered.get(key);
    if (known !== undefined) return known;
    const holds = this.select.get(datasourceId, anew ? datasourceId : "") === 1;
    this.remembered.set(key, holds);
    return holds;
  }
}

const neverRegistered = "UPDATE incarnations SET name = NULL, opened = NULL, closed = NULL";
const groupsOf = "(SELECT id FROM groups WHERE incarnation = @incarnation)";
const peopleOf = "(SELECT id FROM principals WHERE incarnation = @incarnation)";
const documentsOf = "(SELECT id FROM documents WHERE incarnation = @incarnation)";

/** The rows of each kind of scope. The numbers of names stay. `@incarnation`, `@person` and `@document` are numbers. */
const statements = {
  "all datasources": [
    neverRegistered,
    ...[
      "registrations",
      "group_names",
      "nestings",
      "memberships",
      "existences",
      "grants",
      "defaults",
      "suspensions",
    ].map((table) => `DELETE FROM ${table}`),
  ],
  datasource: [
    `${neverRegistered} WHERE id = @incarnation`,
    "DELETE FROM registrations WHERE incarnation = @incarnation",
    `DELETE FROM group_names WHERE grp IN ${groupsOf}`,
    `DELETE FROM nestings WHERE member IN ${groupsOf} OR grp IN ${groupsOf}`,
    `DELETE FROM memberships WHERE person IN ${peopleOf} OR grp IN ${groupsOf}`,
    `DELETE FROM existences WHERE document IN ${documentsOf}`,
    `DELETE FROM defaults WHERE document IN ${documentsOf}`,
    `DELETE FROM grants WHERE document IN ${documentsOf} OR principal IN ${peopleOf}`,
    "DELETE FROM suspensions WHERE datasource_id = @datasourceId",
  ],
  registrations: [`${neverRegistered} WHERE name = @name`],
  groups: [
    `DELETE FROM group_names WHERE grp IN ${groupsOf}`,
    `DELETE FROM nestings WHERE member IN ${groupsOf} OR grp IN ${groupsOf}`,
  ],
  person: ["DELETE FROM registrations WHERE person = @person", "DELETE FROM memberships WHERE person = @person"],
  document: ["existences", "grants", "defaults"].map((table) => `DELETE FROM ${table} WHERE document = @document`),
} as const satisfies Readonly<Record<Exclude<HistoryScope["kind"], "events">, readonly string[]>>;

/**
 * Removes what was known of a scope, so that it can be projected afresh. It is rare, so no statement is prepared
 * beforehand.
 */
class ForgottenRows {
  constructor(
    private readonly database: SqliteDatabase,
    private readonly interning: Interning,
  ) {}

  forget(scope: Exclude<HistoryScope, { readonly kind: "events" }>): void {
    const numbers = this.numbersOf(scope);
    for (const sql of statements[scope.kind]) this.database.prepare<unknown[]>(sql).run(numbers);
  }

  private numbersOf(scope: HistoryScope): object {
    const incarnation = "datasourceId" in scope ? this.interning.incarnation(scope.datasourceId) : null;
    if (incarnation === null) return scope;
    if (scope.kind === "person")
      return { person: this.interning.principal(incarnation, principalKinds.user, scope.email) };
    if (scope.kind === "document")
      return { document: this.interning.document(incarnation, scope.documentId, false).id };
    return { ...scope, incarnation };
  }
}
