import { type Position, beginning, toPosition } from "../shared/position.js";
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

/** The log as it is followed: by projections, and by others that read a part of it. */
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

/**
 * An event by which a log is known again. Its id is random, so no other log has it there, unless one of the two is a
 * copy of the other up to here. Every recorded event is one.
 */
export interface Landmark {
  readonly position: Position;
  readonly id: string;
}

/** How far something has followed a log, and which log that was. */
export interface Checkpoint {
  /** Everything up to and including this position was followed. */
  readonly position: Position;
  /** The newest event up to there of which the id is known; null: of none, as in what an older program wrote. */
  readonly landmark: Landmark | null;
}

/** The newest of some landmarks, in log order, that does not come after a position. */
export const landmarkUpTo = (landmarks: readonly Landmark[], position: Position): Landmark | null =>
  landmarks.findLast((landmark) => landmark.position <= position) ?? null;

/** The position after which everything from this one on is delivered, and perhaps some events before it. */
export async function positionBefore(log: Pick<EventSource, "before">, position: Position): Promise<Position> {
  if (position <= beginning) return beginning;
  return log.before === undefined ? toPosition(position - 1n) : log.before(position);
}

/** A stretch of a log: after one position, up to and including another. */
export interface LogStretch {
  readonly log: Pick<EventSource, "subscribe">;
  readonly after: Position;
  /** The log has come this far, so events that are not delivered yet are waited for. */
  readonly upTo: Position;
  readonly categories: readonly StreamCategory[];
  readonly maxBatchSize: number;
  /** Aborting ends the reading with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A batch of a stretch. */
export interface ReadEvents {
  /** In log order. Empty where only the position moved on. */
  readonly events: readonly RecordedEvent[];
  /** Everything of the stretch up to and including this position has been read. */
  readonly position: Position;
}

/**
 * Delivers everything of a stretch, in batches and in order. Throws where the log does, or where the signal aborts: it
 * never ends early.
 */
export async function* readUpTo(stretch: LogStretch): AsyncGenerator<ReadEvents, void, void> {
  const { log, after, upTo, categories, maxBatchSize, signal } = stretch;
  signal?.throwIfAborted();
  if (after >= upTo) return;
  const ending = new AbortController();
  const until = signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]);
  try {
    for await (const { events, position } of log.subscribe({ after, categories, maxBatchSize, signal: until })) {
      signal?.throwIfAborted();
      if (position < upTo) {
        yield { events, position };
        continue;
      }
      yield { events: events.filter((event) => event.position <= upTo), position: upTo };
      return;
    }
    signal?.throwIfAborted();
    throw new Error(`The log was closed before position ${upTo} was read.`);
  } finally {
    ending.abort();
  }
}
