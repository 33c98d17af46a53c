import type { DatasourceId } from "../../src/shared/ids.js";
import { landmarkUpTo, type Landmark } from "../../src/events/landmark.js";
import { beginning, type Position } from "../../src/shared/position.js";
import type { PrincipalTokens } from "../../src/shared/principalTokens.js";
import type { ProjectionBatch, ProjectionWriter } from "../ports.js";
import type { DatasourceAccessChange, GroupChange, GroupClosureChange, PersonChange } from "./changes.js";
import { Groups } from "./groups.js";
import { People } from "./people.js";
import type { DatasourceAccess, GroupClosureBatch, GroupClosureStore, GroupRows, HoldingLimits } from "./ports.js";

export interface GroupClosureWriterOptions {
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
  /** Of what was held back. */
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
