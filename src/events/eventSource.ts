import type { Position } from "../shared/position.js";
import type { RecordedEvent } from "./domainEvent.js";
import type { Checkpoint, Landmark } from "./landmark.js";
import type { StreamCategory } from "./streams.js";

/** A stretch of the log, as one subscription delivers it. */
export interface EventBatch {
  /** In log order; may be empty where only the position moved on. */
  readonly events: readonly RecordedEvent[];
  /** Everything up to and including this position has been delivered: the checkpoint to save. */
  readonly position: Position;
  /** True where the end of the log was reached with this batch. */
  readonly caughtUp: boolean;
  /** The event at `position`, where the log tells it without being asked for it; it may be of any category. */
  readonly landmark?: Landmark;
}

/** Which part of the log to deliver, and until when. */
export interface SubscriptionRequest {
  /** Exclusive: the checkpoint to go on from. */
  readonly after: Position;
  readonly categories: readonly StreamCategory[];
  readonly maxBatchSize: number;
  readonly signal: AbortSignal;
}

/** The log as it is followed: by projections, and by whoever reads a part of it. */
export interface EventSource {
  /** Endless: delivers what is there, then waits for more until the signal aborts. */
  subscribe(request: SubscriptionRequest): AsyncIterable<EventBatch>;
  /** Position of the newest event; `beginning` for an empty log. */
  head(): Promise<Position>;
  /**
   * Whether this is the log that was followed up to a checkpoint, as far as these categories go: the landmark stands
   * where it stood, and none of their events comes after it up to the checkpoint. False for another log, and for one
   * that has gone back in time. Without a landmark only that the log goes so far can be told.
   */
  holds(checkpoint: Checkpoint, categories: readonly StreamCategory[]): Promise<boolean>;
  /**
   * For a log that can only be followed from where one of its events stands: the position of an event before this one,
   * so that what follows is this position and all after it, and perhaps some before. Left out: the number before it
   * will do.
   */
  before?(position: Position): Promise<Position>;
}
