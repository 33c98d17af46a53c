import { beginning, toPosition, type Position } from "../shared/position.js";
import type { RecordedEvent } from "./domainEvent.js";
import type { EventSource } from "./eventSource.js";
import type { StreamCategory } from "./streams.js";

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
