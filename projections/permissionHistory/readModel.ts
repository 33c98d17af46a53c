import type { ReadModelDefinition } from "../readModel.js";
import type { PermissionHistoryChange, PermissionHistoryStore } from "./ports.js";
import { permissionHistory } from "./project.js";
import { landmarkUpTo, type Landmark } from "../../src/events/eventSource.js";
import { beginning, type Position } from "../../src/shared/position.js";
import type { ProjectionBatch, ProjectionWriter } from "../ports.js";

/** While a version is built so many batches are held back for one transaction: a few seconds' work. */
const batchesHeldBack = 50;

/** The history of who could see what. Only auditors wait for it, so it has a thread of its own. */
export const permissionHistoryReadModel: ReadModelDefinition<PermissionHistoryChange, PermissionHistoryStore> = {
  name: "permissionHistory",
  projection: permissionHistory,
  group: "permissionHistory",
  batchesEvents: true,
  createWriter: (store, { buildingBatch }) =>
    buildingBatch === null
      ? createPermissionHistoryWriter(store)
      : createPermissionHistoryWriter(store, buildingBatch * batchesHeldBack),
};

/** How many changes a catch-up holds back: some 50 MB of memory, and a few seconds of work that a crash repeats. */
const mostHeldBack = 50_000;

/**
 * Brings changes into the permission history: in a catch-up many batches in one transaction, otherwise each on its own.
 * A scope that is projected afresh is one transaction from its being forgotten to its being whole, however many batches
 * that takes: questions meanwhile see what was there before.
 */
export function createPermissionHistoryWriter(
  store: PermissionHistoryStore,
  limit = mostHeldBack,
): ProjectionWriter<PermissionHistoryChange> {
  return new PermissionHistoryWriter(store, limit);
}

/**
 * If anything goes wrong, it forgets what it holds back, which is then delivered again. After a fault it holds nothing
 * back until the fault is passed, so that the batch at fault is found alone.
 */
class PermissionHistoryWriter implements ProjectionWriter<PermissionHistoryChange> {
  private held: PermissionHistoryChange[] = [];
  private heldAfter: Position = beginning;
  private heldUpTo: Position | null = null;
  private heldLandmark: Landmark | null = null;
  private holdNothingUntil: Position = beginning;
  private isRestoring = false;

  constructor(
    private readonly store: PermissionHistoryStore,
    private readonly limit: number,
  ) {}

  checkpoint(): Promise<Position> {
    this.forget();
    this.isRestoring = false;
    return this.store.checkpoint();
  }

  async apply(batch: ProjectionBatch<PermissionHistoryChange>): Promise<"applied" | "checkpointConflict"> {
    if (this.heldUpTo !== null && this.heldUpTo !== batch.after) this.forget();
    if (this.mayHoldBack(batch)) {
      this.hold(batch);
      return "applied";
    }
    const whole = this.heldUpTo === null ? batch : this.withHeld(batch);
    this.forget();
    this.isRestoring =
      isUnfinished(batch) && (this.isRestoring || batch.changes.some((change) => "forgotten" in change));
    try {
      return await this.store.write(whole, this.isRestoring);
    } catch (error) {
      this.holdNothingUntil = batch.position;
      throw error;
    }
  }

  private mayHoldBack({
    moreToCome = false,
    parked,
    position,
    changes,
  }: ProjectionBatch<PermissionHistoryChange>): boolean {
    return (
      moreToCome &&
      parked.length === 0 &&
      position > this.holdNothingUntil &&
      this.held.length + changes.length < this.limit
    );
  }

  private withHeld(batch: ProjectionBatch<PermissionHistoryChange>): ProjectionBatch<PermissionHistoryChange> {
    const landmark = landmarkUpTo(batch.landmarks ?? [], batch.position) ?? this.heldLandmark;
    const landmarks = landmark === null ? [] : [landmark];
    return { ...batch, after: this.heldAfter, changes: [...this.held, ...batch.changes], landmarks };
  }

  private hold({ after, position, changes, landmarks = [] }: ProjectionBatch<PermissionHistoryChange>): void {
    if (this.heldUpTo === null) this.heldAfter = after;
    this.heldUpTo = position;
    this.heldLandmark = landmarkUpTo(landmarks, position) ?? this.heldLandmark;
    for (const change of changes) this.held.push(change);
  }

  private forget(): void {
    this.held = [];
    this.heldUpTo = null;
    this.heldLandmark = null;
  }
}

/** True during a restoration that is neither whole nor ended by an event that cannot be applied. */
const isUnfinished = ({ restored = [], parked }: ProjectionBatch<PermissionHistoryChange>): boolean =>
  restored.length === 0 && parked.length === 0;
