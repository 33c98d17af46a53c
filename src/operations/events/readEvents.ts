import type { EventSelection } from "../../events/eventSelection.js";
import { type EventSource, positionBefore } from "../../events/eventSource.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import { categoryOf, streamCategories } from "../../events/streams.js";
import { beginning } from "../../shared/position.js";

const maxBatchSize = 500;

/** The events that were asked for: up to the log's end as it is now, or on and on. Ends where the signal aborts. */
export async function* readEvents(
  log: EventSource,
  { stream, category, from, follow }: EventSelection,
  signal: AbortSignal,
): AsyncGenerator<readonly RecordedEvent[], void, void> {
  const end = await log.head();
  if (!follow && (end === beginning || (from !== null && from > end))) return;
  const after = from === null ? beginning : await positionBefore(log, from);
  const categories = stream !== null ? [categoryOf(stream)] : category !== null ? [category] : streamCategories;
  const isWanted = (event: RecordedEvent): boolean =>
    (stream === null || event.stream === stream) &&
    event.position >= (from ?? beginning) &&
    (follow || event.position <= end);
  for await (const { events, position } of log.subscribe({ after, categories, maxBatchSize, signal })) {
    yield events.filter(isWanted);
    if (signal.aborted || (!follow && position >= end)) return;
  }
}
