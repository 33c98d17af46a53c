import type { EventSelection } from "../../events/eventSelection.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import { categoryOf, streamCategories, type StreamCategory } from "../../events/streams.js";
import { beginning, type Position } from "../../shared/position.js";
import { positionBefore, type FollowedLog } from "../../shared/readUpTo.js";

/** The log, as it is read for people. */
export interface ReadLog extends FollowedLog<RecordedEvent, StreamCategory> {
  head(): Promise<Position>;
  before?(position: Position): Promise<Position>;
}

const maxBatchSize = 500;

/** The events that were asked for: up to the log's end as it is now, or on and on. Ends where the signal aborts. */
export async function* readEvents(
  log: ReadLog,
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
