import type { RecordedEvent } from "../../events/domainEvent.js";
import type { StreamCategory } from "../../events/streams.js";
import { toPosition, type Position } from "../../shared/position.js";
import { positionBefore, readUpTo, type FollowedLog } from "../../shared/readUpTo.js";
import type { UndoLog } from "./ports.js";

/** A log that can be followed, perhaps only from where one of its events stands. */
export interface RangedLog extends FollowedLog<RecordedEvent, StreamCategory> {
  before?(position: Position): Promise<Position>;
}

const eventsAtOnce = 1_000;

/** The events after one position, up to and including another: of whatever log an undo looks at. */
export const readRangeOf = (log: RangedLog): UndoLog["readRange"] =>
  async function* (after, upTo, categories) {
    if (after >= upTo) return;
    // An undo begins at a position that it was told, not where an event stands.
    const from = toPosition(after + 1n);
    const stretch = { log, after: await positionBefore(log, from), upTo, categories, maxBatchSize: eventsAtOnce };
    for await (const { events } of readUpTo(stretch)) yield events.filter(({ position }) => position >= from);
  };
