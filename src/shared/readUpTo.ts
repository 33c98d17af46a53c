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

/** After which position everything from this one on is delivered, and perhaps some before it. */
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
  /** The log has come so far: what does not deliver it is waited for. */
  readonly upTo: Position;
  readonly categories: readonly Category[];
  readonly maxBatchSize: number;
  /** Ends the reading with its reason. */
  readonly signal?: AbortSignal;
}

/** Some of a stretch. */
export interface ReadEvents<Event> {
  /** In log order; may be empty where only the position moved on. */
  readonly events: readonly Event[];
  /** Everything of the stretch up to and including this position has been read. */
  readonly position: Position;
}

/**
 * Everything of a stretch, in batches and in order. Throws where the log does, or where the signal aborts: it never
 * ends early.
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
