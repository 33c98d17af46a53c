import type { RecordedEvent } from "../../events/domainEvent.js";
import { readUpTo, type LogStretch as Stretch } from "../../events/eventSource.js";

const maxBatchSize = 1_000;

/** A stretch of the log: after one position, up to and including another. */
export interface LogStretch extends Omit<Stretch, "maxBatchSize"> {
  /** True: events that cannot be read are delivered too. */
  readonly withUnreadable?: boolean;
}

/** The events of a stretch, in batches and in order; but for those that cannot be read, unless that is asked for. */
export async function* readLog({
  withUnreadable = false,
  ...stretch
}: LogStretch): AsyncGenerator<readonly RecordedEvent[]> {
  for await (const { events } of readUpTo({ ...stretch, maxBatchSize })) {
    // What cannot be read says nothing: it is parked, and its scope is told as a difference.
    yield withUnreadable ? events : events.filter((event) => event.unreadable === undefined);
  }
}
