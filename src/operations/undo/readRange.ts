import type { EventSource } from "../../events/eventSource.js";
import { positionBefore, readUpTo } from "../../events/readUpTo.js";
import { toPosition } from "../../shared/position.js";
import type { UndoLog } from "./ports.js";

const eventsAtOnce = 1_000;

/** The events after one position, up to and including another: of whatever log an undo looks at. */
export const readRangeOf = (log: Pick<EventSource, "subscribe" | "before">): UndoLog["readRange"] =>
  async function* (after, upTo, categories) {
    if (after >= upTo) return;
    // An undo begins at a position that it was told, not where an event stands.
    const from = toPosition(after + 1n);
    const stretch = { log, after: await positionBefore(log, from), upTo, categories, maxBatchSize: eventsAtOnce };
    for await (const { events } of readUpTo(stretch)) yield events.filter(({ position }) => position >= from);
  };
