import type { DatasourceId, GroupId, PrincipalToken, Email } from "../../src/shared/ids.js";
import { landmarkUpTo, type Landmark } from "../../src/events/eventSource.js";
import { beginning, type Position } from "../../src/shared/position.js";
import type { PrincipalTokens } from "../../src/shared/principalTokens.js";
import type { ProjectionBatch, ProjectionWriter } from "../ports.js";
import type {
  DatasourceAccessChange,
  GroupChange,
  GroupClosureChange,
  PersonChange,
  DatasourceAccess,
  GroupClosureBatch,
  GroupClosureStore,
  GroupRows,
  HoldingLimits,
  GroupRow,
  PersonKey,
  PersonRow,
} from "./ports.js";
import { Closure, type Nesting } from "./closure.js";
import { placeOf } from "../../src/shared/sortedIndexes.js";

interface GroupClosureWriterOptions {
  readonly store: GroupClosureStore;
  readonly tokens: PrincipalTokens;
  /** Limits of what a catch-up holds back; see {@link defaultLimits}. */
  readonly limits?: HoldingLimits;
}

/** Some 100 MB of memory, and a few seconds of work that a crash repeats. */
const defaultLimits: HoldingLimits = { changes: 2_000_000, people: 250_000 };

/**
 * Brings changes into the group closure, whatever engine holds it: follows them in memory, and writes each touched row
 * once. In a catch-up it holds batches back up to the limits, because the same people and groups come up again and
 * again.
 */
export function createGroupClosureWriter(options: GroupClosureWriterOptions): ProjectionWriter<GroupClosureChange> {
  return new GroupClosureWriter(options);
}

/** Looked up once for all changes in a row that are of one datasource: there are millions of them. */
interface Followed {
  readonly datasourceId: DatasourceId;
  /** null: changes are passed over. */
  readonly groups: Groups | null;
  /** Nothing of it was ever written. */
  readonly isNew: boolean;
}

/**
 * Keeps what it has read of datasources and groups, and what it has not written yet, as of `memoryIsOf`. If anything
 * goes wrong (another process wrote, a change is at fault, the engine failed), it forgets all that and reads again.
 * After a fault it holds nothing back until the fault is passed, so that the batch at fault is found alone.
 */
class GroupClosureWriter implements ProjectionWriter<GroupClosureChange> {
  private readonly store: GroupClosureStore;
  private readonly tokens: PrincipalTokens;
  private readonly limits: HoldingLimits;
  private readonly access = new Map<DatasourceId, DatasourceAccess | null>();
  private readonly groups = new Map<DatasourceId, Groups>();
  private readonly people: People;
  private readonly changedAccess = new Map<DatasourceId, DatasourceAccess>();
  private readonly closed = new Set<DatasourceId>();
  /** Datasources that are suspended and followed all the same, because they are projected afresh. */
  private readonly restoring = new Set<DatasourceId>();
  private memoryIsOf: Position = beginning;
  private writtenUpTo: Position = beginning;
  private heldChanges = 0;
  /** The landmark of the changes that were held back. */
  private landmark: Landmark | null = null;
  private holdNothingUntil: Position = beginning;

  constructor({ store, tokens, limits = store.holdingLimits ?? defaultLimits }: GroupClosureWriterOptions) {
    this.store = store;
    this.tokens = tokens;
    this.limits = limits;
    this.people = new People(tokens);
  }

  checkpoint(): Promise<Position> {
    return this.store.checkpoint();
  }

  async apply(batch: ProjectionBatch<GroupClosureChange>): Promise<"applied" | "checkpointConflict"> {
    if (batch.after !== this.memoryIsOf) this.forget(batch.after);
    try {
      await this.follow(batch.changes);
      this.memoryIsOf = batch.position;
      this.landmark = landmarkUpTo(batch.landmarks ?? [], batch.position) ?? this.landmark;
      if (this.mayHoldBack(batch)) return "applied";
      const outcome = await this.store.write(this.take(batch));
      if (outcome === "applied") this.writtenUpTo = batch.position;
      else this.forget(beginning);
      return outcome;
    } catch (error) {
      this.forget(beginning);
      this.holdNothingUntil = batch.position;
      throw error;
    }
  }

  private forget(position: Position): void {
    for (const memory of [this.access, this.groups, this.people, this.changedAccess, this.closed, this.restoring])
      memory.clear();
    this.memoryIsOf = position;
    this.writtenUpTo = position;
    this.heldChanges = 0;
    this.landmark = null;
  }

  private mayHoldBack({
    moreToCome = false,
    parked,
    restored,
    position,
    changes,
  }: ProjectionBatch<GroupClosureChange>): boolean {
    this.heldChanges += changes.length;
    const isWithinLimits = this.heldChanges < this.limits.changes && this.people.size < this.limits.people;
    return (
      moreToCome && parked.length === 0 && restored === undefined && position > this.holdNothingUntil && isWithinLimits
    );
  }

  /** Everything that is not written yet, to be written as of the batch's position. */
  private take({
    position,
    parked,
    restored,
    moreToCome = false,
  }: ProjectionBatch<GroupClosureChange>): GroupClosureBatch {
    const groups = new Map<DatasourceId, GroupRows>();
    for (const [datasourceId, ofDatasource] of this.groups) groups.set(datasourceId, ofDatasource.take());
    const datasources = Array.from(this.changedAccess, ([datasourceId, access]) => ({
      datasourceId,
      access,
      anonymousToken: this.tokens.anonymous(datasourceId),
    }));
    const batch = {
      after: this.writtenUpTo,
      position,
      parked,
      restored,
      landmarks: this.landmark === null ? [] : [this.landmark],
      datasources,
      groups,
      people: this.people.take(moreToCome && this.people.size < this.limits.people),
      closed: [...this.closed],
    };
    this.changedAccess.clear();
    this.closed.clear();
    this.heldChanges = 0;
    this.landmark = null;
    return batch;
  }

  /** Passes over changes of a datasource that is suspended. */
  private async follow(changes: readonly GroupClosureChange[]): Promise<void> {
    let last: Followed | null = null;
    for (const change of changes) {
      const { datasourceId } = change;
      if (isDatasourceChange(change) || change.kind === "groupsForgotten") {
        last = null;
        const access = await this.accessOf(datasourceId);
        if (isDatasourceChange(change)) this.followDatasource(change, access);
        else if (this.isFollowed(datasourceId, access))
          this.groups.set(datasourceId, new Groups(datasourceId, this.tokens, []));
        continue;
      }
      if (last?.datasourceId !== datasourceId) last = await this.followed(datasourceId);
      if (last.groups === null) continue;
      if (isGroupChange(change)) last.groups.gather(change);
      else this.people.follow(change, last.groups, last.isNew);
    }
    await this.people.applyWaiting(
      (keys) => this.store.people(keys),
      (datasourceId) => this.groups.get(datasourceId) as Groups,
    );
  }

  private async followed(datasourceId: DatasourceId): Promise<Followed> {
    const isFollowed = this.isFollowed(datasourceId, await this.accessOf(datasourceId));
    const groups = isFollowed ? (this.groups.get(datasourceId) ?? (await this.readGroups(datasourceId))) : null;
    return { datasourceId, groups, isNew: this.changedAccess.get(datasourceId) === "open" };
  }

  private isFollowed(datasourceId: DatasourceId, access: DatasourceAccess | null): boolean {
    return access === "open" || this.restoring.has(datasourceId);
  }

  private followDatasource({ kind, datasourceId }: DatasourceAccessChange, access: DatasourceAccess | null): void {
    if (kind === "datasourceClosed") {
      this.access.set(datasourceId, null);
      this.groups.delete(datasourceId);
      this.people.drop(datasourceId);
      this.changedAccess.delete(datasourceId);
      this.closed.add(datasourceId);
      this.restoring.delete(datasourceId);
      return;
    }
    const isRestored = kind === "datasourceRestored" && this.restoring.delete(datasourceId);
    if (kind === "datasourceRestoring") this.restoring.add(datasourceId);
    if (kind === "datasourceRestored" && !isRestored) return;
    const next = isRestored ? "open" : kind === "datasourceOpened" ? (access ?? "open") : "suspended";
    if (next === access) return;
    this.access.set(datasourceId, next);
    this.changedAccess.set(datasourceId, next);
  }

  private async accessOf(datasourceId: DatasourceId): Promise<DatasourceAccess | null> {
    const known = this.access.get(datasourceId);
    if (known !== undefined) return known;
    const access = await this.store.access(datasourceId);
    this.access.set(datasourceId, access);
    return access;
  }

  private async readGroups(datasourceId: DatasourceId): Promise<Groups> {
    const groups = new Groups(datasourceId, this.tokens, await this.store.groups(datasourceId));
    this.groups.set(datasourceId, groups);
    return groups;
  }
}

function isDatasourceChange(change: GroupClosureChange): change is DatasourceAccessChange {
  return change.kind.startsWith("datasource");
}

function isGroupChange(change: GroupChange | PersonChange): change is GroupChange {
  return (
    change.kind === "groupNamed" ||
    change.kind === "groupDeleted" ||
    change.kind === "groupJoined" ||
    change.kind === "groupLeft"
  );
}

interface Label {
  readonly groupId: GroupId;
  name: string;
  token: PrincipalToken;
}

/** All groups of one datasource, held in memory while changes are followed. */
class Groups {
  private readonly labels: Label[] = [];
  private readonly indexes = new Map<GroupId, number>();
  private readonly closure: Closure;
  /** Not written yet: groups with another name, and nestings that the closure has not followed. */
  private renamed = new Set<number>();
  private nestings: Nesting[] = [];

  constructor(
    private readonly datasourceId: DatasourceId,
    private readonly tokens: PrincipalTokens,
    rows: readonly GroupRow[],
  ) {
    this.closure = Closure.restore(rows);
    for (const { groupId, name, token } of rows) this.addLabel({ groupId, name, token });
  }

  /** Throws where the log never created such a group: its event is parked, or the log is damaged. */
  indexOf(groupId: GroupId): number {
    const index = this.indexes.get(groupId);
    if (index === undefined) throw new Error(`Group ${groupId} of datasource ${this.datasourceId} was never created.`);
    return index;
  }

  gather(change: Exclude<GroupChange, { readonly kind: "groupsForgotten" }>): void {
    if (change.kind === "groupNamed") this.name(change.groupId, change.name);
    else if (change.kind === "groupDeleted") this.delete(change.groupId);
    else this.nestings.push(this.toNesting(change));
  }

  /** Follows the collected nestings, and returns the rows that are to be written. */
  take(): GroupRows {
    const { renamed } = this;
    const moved = [...this.closure.follow(this.nestings)].filter((index) => !renamed.has(index));
    this.renamed = new Set();
    this.nestings = [];
    return { named: this.rowsOf([...renamed]), moved: this.rowsOf(moved) };
  }

  private toNesting(change: Extract<GroupChange, { readonly kind: "groupJoined" | "groupLeft" }>): Nesting {
    const kind = change.kind === "groupJoined" ? "joined" : "left";
    return { kind, member: this.indexOf(change.member), group: this.indexOf(change.groupId) };
  }

  private name(groupId: GroupId, name: string): void {
    const index = this.indexes.get(groupId);
    const label = index === undefined ? undefined : this.labels[index];
    if (label?.name === name) return;
    const token = this.tokens.group(this.datasourceId, name);
    if (label === undefined) this.closure.add();
    else Object.assign(label, { name, token });
    this.renamed.add(index ?? this.addLabel({ groupId, name, token }));
  }

  /** The row stays, for the people whose memberships name it, with a token that no document can carry. */
  private delete(groupId: GroupId): void {
    const index = this.indexOf(groupId);
    const token = this.tokens.deletedGroup(this.datasourceId, groupId);
    Object.assign(this.labels[index] as Label, { name: "", token });
    this.renamed.add(index);
  }

  private addLabel(label: Label): number {
    const index = this.labels.push(label) - 1;
    this.indexes.set(label.groupId, index);
    return index;
  }

  private rowsOf(indexes: readonly number[]): readonly GroupRow[] {
    return indexes.toSorted((a, b) => a - b).map((index) => this.rowOf(index));
  }

  private rowOf(index: number): GroupRow {
    const label = this.labels[index] as Label;
    return { index, ...label, parents: this.closure.parentsOf(index), ancestors: this.closure.ancestorsOf(index) };
  }
}

/**
 * Like {@link PersonRow}, but changed in place: a new set for each of millions of memberships would be mostly garbage.
 */
interface MutableRow extends Omit<PersonRow, "registered" | "groups"> {
  registered: boolean;
  /** True where the stored row differs. */
  isChanged: boolean;
  /** Sorted. */
  readonly groups: number[];
}

/** Where groups' indexes are found. */
interface GroupIndexes {
  indexOf(groupId: GroupId): number;
}

/**
 * People that were changed, written already or not. Changes of people that are not known yet wait, so that rows can be
 * read together.
 */
class People {
  /** null: still to be read. */
  private readonly rows = new Map<DatasourceId, Map<Email, MutableRow | null>>();
  private waiting: PersonChange[] = [];
  private toRead: PersonKey[] = [];
  private count = 0;

  constructor(private readonly tokens: PrincipalTokens) {}

  /** How many rows are held. */
  get size(): number {
    return this.count;
  }

  /** `groups` are the datasource's. `isNew` says that nothing of it was ever written, so nobody has to be read. */
  follow(change: PersonChange, groups: GroupIndexes, isNew: boolean): void {
    const people = this.rows.get(change.datasourceId) ?? this.add(change.datasourceId);
    const row = people.get(change.email);
    if (row !== undefined && row !== null) return this.changeRow(row, change, groups);
    if (row === undefined) this.count++;
    if (isNew) return this.changeRow(this.addRow(people, change), change, groups);
    if (row === undefined) this.toRead.push(change);
    people.set(change.email, null);
    this.waiting.push(change);
  }

  /** Forgets the people of a datasource that is closed. */
  drop(datasourceId: DatasourceId): void {
    this.count -= this.rows.get(datasourceId)?.size ?? 0;
    this.rows.delete(datasourceId);
  }

  /** Reads the people not known yet, and follows what waited for them. */
  async applyWaiting(
    read: (keys: readonly PersonKey[]) => Promise<readonly PersonRow[]>,
    groupsOf: (datasourceId: DatasourceId) => GroupIndexes,
  ): Promise<void> {
    if (this.waiting.length === 0) return;
    for (const row of await read(this.toRead))
      this.rows.get(row.datasourceId)?.set(row.email, { ...row, isChanged: false, groups: [...row.groups] });
    for (const change of this.waiting) {
      const people = this.rows.get(change.datasourceId);
      if (people !== undefined)
        this.changeRow(people.get(change.email) ?? this.addRow(people, change), change, groupsOf(change.datasourceId));
    }
    this.waiting = [];
    this.toRead = [];
  }

  /**
   * The rows that are to be written. They are kept only where further changes are about to come, perhaps of the same
   * people.
   */
  take(isHeldOn: boolean): readonly PersonRow[] {
    const taken: PersonRow[] = [];
    for (const people of this.rows.values()) {
      for (const row of people.values()) {
        if (row === null || !row.isChanged) continue;
        taken.push({
          datasourceId: row.datasourceId,
          email: row.email,
          registered: row.registered,
          token: row.token,
          groups: new Uint32Array(row.groups),
        });
        row.isChanged = false;
      }
    }
    if (!isHeldOn) this.clear();
    return taken;
  }

  clear(): void {
    this.rows.clear();
    this.waiting = [];
    this.toRead = [];
    this.count = 0;
  }

  private changeRow(row: MutableRow, change: PersonChange, groups: GroupIndexes): void {
    row.isChanged = true;
    if (change.kind === "personRegistered") {
      row.registered = true;
      row.groups.length = 0;
      return;
    }
    if (change.kind === "personForgotten") {
      row.registered = false;
      row.groups.length = 0;
      return;
    }
    if (change.kind === "personJoined" && !row.registered) return;
    const index = groups.indexOf(change.groupId);
    const place = placeOf(row.groups, index);
    const isMember = row.groups[place] === index;
    if (change.kind === "personLeft" && isMember) row.groups.splice(place, 1);
    else if (change.kind === "personJoined" && place === row.groups.length) row.groups.push(index);
    else if (change.kind === "personJoined" && !isMember) row.groups.splice(place, 0, index);
  }

  private add(datasourceId: DatasourceId): Map<Email, MutableRow | null> {
    const people = new Map<Email, MutableRow | null>();
    this.rows.set(datasourceId, people);
    return people;
  }

  private addRow(people: Map<Email, MutableRow | null>, { datasourceId, email }: PersonKey): MutableRow {
    const row: MutableRow = {
      datasourceId,
      email,
      registered: false,
      isChanged: true,
      token: this.tokens.user(datasourceId, email),
      groups: [],
    };
    people.set(email, row);
    return row;
  }
}
