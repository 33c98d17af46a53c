import type { ContentReference } from "../src/events/document.js";
import type { RecordedEvent } from "../src/events/domainEvent.js";
import type { Scope } from "../src/events/scope.js";
import type { Landmark } from "../src/events/eventSource.js";
import type { StreamCategory, StreamName } from "../src/events/streams.js";
import type { DatasourceId } from "../src/shared/ids.js";
import type { ParkedEvent, RecordedProjectionError } from "../src/readModels/projectionStatus.js";
import type { Position } from "../src/shared/position.js";

export type { EventBatch, EventSource, SubscriptionRequest } from "../src/events/eventSource.js";
export type { ParkedEvent } from "../src/readModels/projectionStatus.js";
export { EngineUnavailable } from "../src/shared/failures.js";

/** Names one text, or the bytes of a file: the same under two documents are two contents, each erased on its own. */
export interface ContentKey {
  /** The stream that it belongs to: of the document, or of the file. */
  readonly stream: StreamName;
  readonly reference: ContentReference;
}

/** Reads the texts that events refer to. */
export interface ContentReader {
  /**
   * Null where the text has been erased (the document was replaced or deleted since). `referredToAt` is the position of
   * an event that refers to it: a copy of the log that has not come this far is no witness, and then
   * `EngineUnavailable` is thrown.
   */
  read(key: ContentKey, referredToAt?: Position): Promise<string | null>;
}

/** Reads contents that need be no texts. */
export interface BytesReader {
  /**
   * Null as {@link ContentReader} says it. The bytes come in pieces below 512 KiB, so that no more than a few of them
   * are in memory. Where they are erased meanwhile the iteration throws.
   */
  readBytes(key: ContentKey, referredToAt?: Position): Promise<AsyncIterable<Uint8Array> | null>;
}

/** Erases texts for good. Erasing again is no error. */
export interface ContentEraser {
  /** Erases one content unless it was written again by an event after `before` (the same text can come back). */
  erase(key: ContentKey, before: Position): Promise<void>;
  /**
   * Erases every text of a closed incarnation, in steps that do not hold up appends. `closedAt` is the position of the
   * event that closed it.
   */
  eraseDatasource(datasourceId: DatasourceId, closedAt?: Position): Promise<void>;
}

/** What one transaction of a read model holds. */
export interface ProjectionBatch<Change> {
  /** The checkpoint that this batch follows. */
  readonly after: Position;
  /** The new checkpoint, committed with the effect. */
  readonly position: Position;
  readonly changes: readonly Change[];
  readonly parked: readonly ParkedEvent[];
  /**
   * Scopes that were projected afresh and are whole with this batch: their events are no longer parked, and what is
   * written replaces whatever is there. Left out: none.
   */
  readonly restored?: readonly string[];
  /**
   * Events up to `position` by which the log is known again, in log order. The newest is kept with the checkpoint;
   * where there is none, the one that is there stays.
   */
  readonly landmarks?: readonly Landmark[];
  /**
   * True in a catch-up, where further batches follow at once: a writer may hold this one back and commit it, effect and
   * checkpoint together, with a later one. What is lost in between is delivered again.
   */
  readonly moreToCome?: boolean;
}

/** The events that the projections of an engine could not apply, until their scopes are whole again. */
export interface ParkedEvents {
  /** In log order. */
  list(projection: string): Promise<readonly ParkedEvent[]>;
}

/**
 * What went wrong with projections lately, for every process that is asked. It is kept where all of them can read it,
 * and not with what a projection writes, since just that may be failing.
 */
export interface ProjectionErrors {
  /** Replaces the previous one of the same projection, version and kind. */
  record(projectionError: RecordedProjectionError): Promise<void>;
  list(): Promise<readonly RecordedProjectionError[]>;
  close(): void;
}

/** Where a projection's effect goes. */
export interface ProjectionWriter<Change> {
  /** `beginning` where nothing was projected yet. */
  checkpoint(): Promise<Position>;
  /**
   * Applies the changes, the parked events and the checkpoint in one transaction. `checkpointConflict` where the stored
   * checkpoint is not `after`, because another process projected on: nothing was written; read the checkpoint and go on
   * from there.
   */
  apply(batch: ProjectionBatch<Change>): Promise<"applied" | "checkpointConflict">;
}

/** How a scope of a read model is projected afresh: its events are followed anew, in log order. */
export type Restoration<Change> = StreamRestoration<Change> | SteppedRestoration<Change>;

interface ReplayedScope<Change> {
  /** What one of its events changes; `isDiscarded`: an operator let it be passed over. */
  changes(event: RecordedEvent, isDiscarded: boolean): readonly Change[];
  /**
   * What an event changes that could not be read; may throw. Left out: such an event is parked, and the scope fails
   * closed.
   */
  ofUnreadable?(event: RecordedEvent): readonly Change[];
}

/**
 * A scope that is one stream: a person's with what the stream of groups' members tells of the person. It is projected
 * afresh in one commit, so that nobody sees anything between the old and the new.
 */
export interface StreamRestoration<Change> extends ReplayedScope<Change> {
  readonly stream: StreamName;
  /** What makes the scope empty. */
  readonly before: readonly Change[];
  /** Cuts all changes down to those that matter in the end. */
  condense?(changes: readonly Change[]): readonly Change[];
}

/** A scope with too many events for one commit: it fails closed until the last one. */
export interface SteppedRestoration<Change> extends ReplayedScope<Change> {
  readonly categories: readonly StreamCategory[];
  /** True of the events that the scope is made of. */
  includes(event: RecordedEvent): boolean;
  /** What makes the scope empty and closed, each in a commit of its own. */
  readonly before: readonly (readonly Change[])[];
  /** What makes the scope whole; the last commit. */
  readonly after: readonly Change[];
}

/** A read model's pure part, one folder each. */
export interface Projection<Change> {
  readonly name: string;
  readonly categories: readonly StreamCategory[];
  /**
   * Pure: what this event changes in the read model. Typed on the events that this projection takes; others of its
   * categories change nothing.
   */
  project(event: RecordedEvent): readonly Change[];
  /** Pure: the scope that has to fail closed while this event is parked, and the changes that close it. */
  failClosed(event: RecordedEvent): { readonly scope: Scope; readonly changes: readonly Change[] };
  /**
   * Pure: how a scope is made afresh from the log; null where the projection has no such scope. Left out: a rebuild is
   * the only way.
   */
  restoration?(scope: Scope): Restoration<Change> | null;
}

/** The right to write for a group of projections. One of all the processes that ask for it holds it at a time. */
export interface Lease {
  /**
   * Stands by until the right is granted; null where the signal aborted before. Throws `EngineUnavailable` where the
   * engine that grants it is away.
   */
  acquire(signal: AbortSignal): Promise<LeaseGrant | null>;
}

/** How a lease passes from a dead holder to a standby: within `ttlMs` and twice `pollMs`. */
export interface LeaseTiming {
  /** How long a grant lasts without being renewed. */
  readonly ttlMs: number;
  readonly renewMs: number;
  /** How often a standby asks. */
  readonly pollMs: number;
}

/** A lease as it was granted, until it is lost or given back; then acquire it again. */
export interface LeaseGrant {
  /** The fencing token: greater with every grant. An engine that knows it refuses the writes of earlier grants. */
  readonly token: bigint;
  /** Aborts as soon as this process can no longer be sure that the right is its own. */
  readonly lost: AbortSignal;
  /**
   * Until when nobody else is granted the right, on the clock of `performance.now()`; in the past once it is lost. Ask
   * it before a write to an engine that cannot check the token; the write has to end by then.
   */
  heldUntil(): number;
  /** Gives the right back if it is still there, so that a standby need not wait for its end. Never throws. */
  release(): Promise<void>;
}
