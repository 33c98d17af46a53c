import { beginning, toPosition, type Position } from "./position.js";

/** A log as it is followed: delivers what is there after a position, then waits for more until the signal aborts. */
export interface FollowedLog<Event, Category> {
  subscribe(request: {
    readonly after: Position;
    readonly categories: readonly Category[];
    readonly maxBatchSize: number;
    readonly signal: AbortSignal;
  }): AsyncIterable<{ readonly events: readonly Event[]; readonly position: Position }>;
}

/** The position after which everything from this one on is delivered, and perhaps some events before it. */
export async function positionBefore(
  log: { before?(position: Position): Promise<Position> },
  position: Position,
): Promise<Position> {
  if (position <= beginning) return beginning;
  return log.before === undefined ? toPosition(position - 1n) : log.before(position);
}

/** A stretch of a log: after one position, up to and including another. */
export interface LogStretch<Event, Category> {
  readonly log: FollowedLog<Event, Category>;
  readonly after: Position;
  /** The log has come this far, so events that are not delivered yet are waited for. */
  readonly upTo: Position;
  readonly categories: readonly Category[];
  readonly maxBatchSize: number;
  /** Aborting ends the reading with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A batch of a stretch. */
export interface ReadEvents<Event> {
  /** In log order. Empty where only the position moved on. */
  readonly events: readonly Event[];
  /** Everything of the stretch up to and including this position has been read. */
  readonly position: Position;
}

/**
 * Delivers everything of a stretch, in batches and in order. Throws where the log does, or where the signal aborts: it
 * never ends early.
 */
export async function* readUpTo<Event extends { readonly position: Position }, Category>(
  stretch: LogStretch<Event, Category>,
): AsyncGenerator<ReadEvents<Event>, void, void> {
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
