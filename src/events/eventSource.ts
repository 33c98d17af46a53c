import type { Position } from "../shared/position.js";
import type { RecordedEvent } from "./domainEvent.js";
import type { StreamCategory } from "./streams.js";

/** A stretch of the log, as one subscription delivers it. */
export interface EventBatch {
  /** In log order; may be empty where only the position moved on. */
  readonly events: readonly RecordedEvent[];
  /** Everything up to and including this position has been delivered: the checkpoint to save. */
  readonly position: Position;
  /** True where the end of the log was reached with this batch. */
  readonly caughtUp: boolean;
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
   * For a log that can only be followed from where one of its events stands: the position of an event before this one,
   * so that what follows is this position and all after it, and perhaps some before. Left out: the number before it
   * will do.
   */
  before?(position: Position): Promise<Position>;
}
