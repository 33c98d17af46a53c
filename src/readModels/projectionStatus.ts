import type { ComparisonSummary } from "../events/projection.js";
import type { Position } from "../shared/position.js";

/** How far a projection has come, as operators are told. What cannot be told here is null. */
export interface ProjectionStatus {
  readonly name: string;
  /** A reaction has no versions. */
  readonly kind: "read_model" | "reaction";
  readonly state: "running" | "paused";
  /** The version that is served. */
  readonly version: number;
  /** Everything in the log up to and including this position is projected. Decimal digits. */
  readonly position: string | null;
  readonly lag: ProjectionLag | null;
  /** Positions of the log per second, in `log_unit`. null before it was looked at twice. */
  readonly rate: number | null;
  /** Events that could not be applied. */
  readonly parked: number | null;
  /**
   * The error that all processes give: what the projection waits for now, else an event that is parked, else what ended
   * less than a day ago.
   */
  readonly last_error: ProjectionError | null;
  readonly size: StoredSize | null;
  /** Versions that were served before, the last one first. */
  readonly kept: readonly {
    readonly version: number;
    readonly position: string | null;
    readonly size: StoredSize | null;
  }[];
  readonly under_way: VersionProgress | null;
}

/** Why a projection could not go on, or not with everything. */
export interface ProjectionError {
  readonly at: string;
  readonly message: string;
  /** ISO instant at which it went on again; null: not yet. */
  readonly recovered_at: string | null;
}

/** How much an engine holds of a version. */
export interface StoredSize {
  readonly amount: number;
  /**
   * `bytes`: on disk, of the file, where several read models are in one (SQLite), or in memory, estimated (Redis).
   * `documents`: the engine tells no bytes (Typesense).
   */
  readonly unit: "bytes" | "documents";
}

/** How far a projection is behind the log. */
export interface ProjectionLag {
  readonly events: number;
  /** True where there are more: they are counted up to a thousand. */
  readonly or_more: boolean;
  /** Since the oldest of them was decided. */
  readonly seconds: number;
}

/** A version on its way to being served. */
export interface VersionProgress {
  readonly version: number;
  readonly kind: "rebuild" | "rollback";
  readonly phase: "building" | "comparing" | "waiting_for_accept" | "going_over";
  readonly position: string | null;
  /** How much is done of the log that there was when it was looked at: 0 to 1. */
  readonly progress: number;
  readonly rate: number | null;
  readonly seconds_left: number | null;
  readonly last_error: ProjectionError | null;
  readonly size: StoredSize | null;
  /** Everything is compared, not only a part. */
  readonly verify: boolean;
  readonly accepted: boolean;
  readonly comparison: ComparisonSummary | null;
}

/** A push that removed more than a fifth of a datasource's documents or grants. */
export interface BulkRemoval {
  readonly datasource: string;
  readonly credential: string;
  /** Positions of the first and the last event that removed something: what `undo` takes. Decimal digits. */
  readonly from: string;
  readonly to: string;
  /** When the last of them was decided; ISO instant. */
  readonly at: string;
  readonly documents: { readonly removed: number; readonly of: number };
  /** Entries of access lists. */
  readonly grants: { readonly removed: number; readonly of: number };
}

/** Answer of `GET /api/admin/projections`. */
export interface ProjectionsAnswer {
  /** Position of the newest event. */
  readonly log: string;
  /** What positions count: events, or bytes of the log on EventStoreDB. */
  readonly log_unit: "events" | "bytes";
  readonly projections: readonly ProjectionStatus[];
  /**
   * The bulk removals of the last seven days, the oldest first; null where the permission history cannot be read, or is
   * more than a minute behind the log.
   */
  readonly bulk_removals: readonly BulkRemoval[] | null;
}

/** Why a version of a projection could not go on, or not with everything. */
export interface RecordedProjectionError {
  /** Its name. */
  readonly projection: string;
  readonly version: number;
  /** `failure`: it waits and tries again; `parked`: an event was left aside and the rest went on. */
  readonly kind: "failure" | "parked";
  /** ISO instant. */
  readonly at: string;
  /** A sentence. */
  readonly message: string;
  /** ISO instant at which it went on again; null: not yet. */
  readonly recoveredAt: string | null;
}

/** One error is kept per version and kind: the newest. */
export const projectionErrorKey = ({
  projection,
  version,
  kind,
}: Pick<RecordedProjectionError, "projection" | "version" | "kind">): string => `${projection}-${version} ${kind}`;

/** An event that a projection could not apply. */
export interface ParkedEvent {
  readonly position: Position;
  readonly stream: string;
  readonly eventType: string;
  /** What fails closed meanwhile: a document, or a whole datasource. */
  readonly scope: string;
  readonly error: string;
}
