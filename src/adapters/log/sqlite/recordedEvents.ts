import type { StreamEvent } from "../../../../commands/ports.js";
import type { EventMetadata, RecordedEvent } from "../../../events/domainEvent.js";
import type { StreamName } from "../../../events/streams.js";
import { upcast, type Upcasters } from "../../../events/upcasters.js";
import { toPosition } from "../../../shared/position.js";
import { UnreadableEvent } from "../../../shared/failures.js";
import type { UnreadEvent } from "../unreadableEvents.js";

/** The columns to select, as raw rows, from `events e` and `streams s`, in this order. */
export const eventColumns = "e.position, s.name, e.revision, e.id, e.type, e.version, e.data, e.metadata";

export type EventRow = readonly [
  position: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  version: number,
  data: string,
  metadata: string,
];

/** The columns to select where an event and its place are all that is asked for. */
export const streamEventColumns = "e.position, e.revision, e.type, e.version, e.data";

export type StreamEventRow = readonly [position: number, revision: number, type: string, version: number, data: string];

/**
 * Reads a stored event in its current shape. Throws an `UnreadableEvent` that names stream and position where the row
 * cannot be read.
 */
export function toRecordedEvent(row: EventRow, upcasters: Upcasters): RecordedEvent {
  const [position, stream, revision, id, type, version, data, metadata] = row;
  try {
    return {
      id,
      stream: stream as StreamName,
      revision,
      position: toPosition(position),
      event: upcast({ type, version, data: parseObject(data) }, upcasters),
      metadata: parseObject(metadata) as EventMetadata,
    };
  } catch (error) {
    throw unreadable(stream, [position, revision, type, version, data], error);
  }
}

/** Does for one stream's events what {@link toRecordedEvent} does. */
export function toStreamEvent(stream: StreamName, row: StreamEventRow, upcasters: Upcasters): StreamEvent {
  const [position, revision, type, version, data] = row;
  try {
    const event = upcast({ type, version, data: parseObject(data) }, upcasters);
    return { event, revision, position: toPosition(position) };
  } catch (error) {
    throw unreadable(stream, row, error);
  }
}

function unreadable(stream: string, [position, revision, type]: StreamEventRow, error: unknown): UnreadableEvent {
  const reason = error instanceof Error ? error.message : String(error);
  return new UnreadableEvent(
    `The event at position ${position} of the log (${type}, revision ${revision} of stream ${stream}) cannot be read: ${reason} If the file is damaged, restore it from a backup.`,
    { revision, position: toPosition(position), cause: error },
  );
}

/** What is known of a row that cannot be read. */
export const toUnreadEvent = (row: EventRow, reason: unknown): UnreadEvent => ({
  id: row[3],
  stream: row[1] as StreamName,
  revision: row[2],
  position: toPosition(row[0]),
  type: row[4],
  at: instantIn(parsed(row[7])),
  data: parsed(row[6]),
  reason,
});

/** The text itself where it is no JSON. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** The beginning of time where the metadata cannot be read. */
function instantIn(metadata: unknown): string {
  const { at } = (typeof metadata === "object" && metadata !== null ? metadata : {}) as Partial<EventMetadata>;
  return typeof at === "string" ? at : new Date(0).toISOString();
}

function parseObject(json: string): object {
  const value: unknown = JSON.parse(json);
  if (typeof value !== "object" || value === null) throw new Error("an object is expected.");
  return value;
}
