import type { RecordedEvent } from "../../src/events/domainEvent.js";
import type { StreamCategory } from "../../src/events/streams.js";
import type { Position } from "../../src/shared/position.js";
import type { LogSource } from "./ports.js";

const maxBatchSize = 1_000;

/** A stretch of the log: after one position, up to and including another. */
export interface LogStretch {
  readonly log: LogSource;
  readonly after: Position;
  readonly upTo: Position;
  readonly categories: readonly StreamCategory[];
  /** Aborts the reading with its reason. */
  readonly signal?: AbortSignal;
}

/** The events of a stretch, in batches and in order. */
export async function* readLog({ log, after, upTo, categories, signal }: LogStretch): AsyncGenerator<readonly RecordedEvent[]> {
  if (after >= upTo) return;
  const ending = new AbortController();
  const until = signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]);
  try {
    for await (const { events, position, caughtUp } of log.subscribe({ after, categories, maxBatchSize, signal: until })) {
      signal?.throwIfAborted();
      // What cannot be read says nothing: it is parked, and its scope is told as a difference.
      yield events.filter((event) => event.position <= upTo && event.unreadable === undefined);
      if (caughtUp || position >= upTo) return;
    }
    signal?.throwIfAborted();
  } finally {
    ending.abort();
  }
}
