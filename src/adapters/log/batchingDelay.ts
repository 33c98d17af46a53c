/**
 * At the end of a growing log: time for further events to gather, so that a busy writer does not make a batch of each
 * commit.
 */
const batchingDelayMs = 4;
/** So many events in that time, of whatever category, are a busy log. */
const busyEvents = 8;
/**
 * Then a subscription may let them gather for so long: the view is later, but a commit for every few events costs more
 * than they do.
 */
const busyBatchingDelayMs = 25;

/** What was delivered last. */
export interface Delivered {
  /** Events of the log that it passed over. */
  readonly passed: number;
  /** Those of them that it held. */
  readonly events: number;
}

/** Milliseconds to wait before the next batch; `batches` says that no answer waits for what is delivered. */
export function batchingDelay({ passed, events }: Delivered, batches: boolean): number {
  return passed >= busyEvents && (batches || events === 0) ? busyBatchingDelayMs : batchingDelayMs;
}
