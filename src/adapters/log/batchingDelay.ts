/**
 * How long events may gather at the end of a growing log, so that a busy writer does not make a batch of each commit.
 */
const batchingDelayMs = 4;
/** This many events in that time, of whatever category, make a log busy. */
const busyEvents = 2;
/**
 * How long a subscription may let the events of a busy log gather. The view is later by as much, but a commit for every
 * few events costs more than the events do.
 */
const busyBatchingDelayMs = 25;

/** The batch that was delivered last. */
interface Delivered {
  /** How many events of the log it passed over. */
  readonly passed: number;
  /** How many of them it held. */
  readonly events: number;
}

/** Milliseconds to wait before the next batch. `batches` says that no answer waits for what is delivered. */
export function batchingDelay({ passed, events }: Delivered, batches: boolean): number {
  return passed >= busyEvents && (batches || events === 0) ? busyBatchingDelayMs : batchingDelayMs;
}
