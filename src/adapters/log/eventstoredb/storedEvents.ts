import type { RecordedEvent as StoredRecord } from "@eventstore/db-client";
import { randomUUID } from "node:crypto";
import type { NewEvent } from "../../../../commands/ports.js";
import type { EventMetadata, RecordedEvent } from "../../../events/domainEvent.js";
import type { StreamName } from "../../../events/streams.js";
import { currentVersion, upcast, type Upcasters } from "../../../events/upcasters.js";
import { toPosition, type Position } from "../../../shared/position.js";
import { UnreadableEvent } from "../../../shared/failures.js";
import type { UnreadEvent } from "../unreadableEvents.js";

/** EventStoreDB's own names for correlation and causation, which its tools know. */
interface StoredMetadata {
  readonly at: string;
  readonly by: EventMetadata["by"];
  readonly $correlationId: string;
  readonly $causationId: string;
  /** In which version of its type the event was written. */
  readonly version: number;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Throws where the client or the server could not take the event; sending it could cost the connection or the process.
 */
export function toStreamEvent({ id, event, metadata }: NewEvent, upcasters: Upcasters): StreamEvent {
  if (!uuid.test(id)) throw new Error(`The id of an event must be a UUID, but is ${JSON.stringify(id)}.`);
  if (!event.type) throw new Error("An event must have a type.");
  if (typeof event.data !== "object" || event.data === null)
    throw new Error(`The data of ${event.type} must be an object.`);
  const { at, by, correlationId, causationId } = metadata;
  const stored: StoredMetadata = {
    at,
    by,
    $correlationId: correlationId,
    $causationId: causationId,
    version: currentVersion(event.type, upcasters),
  };
  return jsonEvent({ id, type: event.type, data: event.data, metadata: stored });
}

/**
 * Reads an event in its current shape. Throws an `UnreadableEvent` that names stream and position where it cannot be
 * read.
 */
export function toRecordedEvent(record: StoredRecord, stream: StreamName, upcasters: Upcasters): RecordedEvent {
  try {
    const { version = 1, ...metadata } = objectIn(record.metadata, "metadata") as unknown as StoredMetadata;
    if (typeof metadata.at !== "string") throw new Error("its metadata does not say when it was.");
    return {
      ...placeOf(record, stream),
      event: upcast({ type: record.type, version, data: objectIn(record.data, "data") }, upcasters),
      metadata: {
        at: metadata.at,
        by: metadata.by,
        correlationId: metadata.$correlationId,
        causationId: metadata.$causationId,
      },
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const { revision, position } = placeOf(record, stream);
    throw new UnreadableEvent(
      `The event at position ${position} of the log (${record.type}, revision ${revision} of stream ${stream}) cannot be read: ${reason}`,
      { revision, position, cause: error },
    );
  }
}

/** What is known of a record that cannot be read. */
export const toUnreadEvent = (record: StoredRecord, stream: StreamName, reason: unknown): UnreadEvent => ({
  ...placeOf(record, stream),
  type: record.type,
  at: record.created.toISOString(),
  data: record.data,
  reason,
});

/** Where a record stands in the whole log. */
export const positionOf = ({ position }: StoredRecord): Position => toPosition(position?.commit ?? 0n);

const placeOf = (
  record: StoredRecord,
  stream: StreamName,
): Pick<RecordedEvent, "id" | "stream" | "revision" | "position"> => ({
  id: record.id,
  stream,
  revision: Number(record.revision),
  position: positionOf(record),
});

function objectIn(value: unknown, what: string): object {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array)
    throw new Error(`its ${what} is no JSON object.`);
  return value;
}

/** An event as it goes to the server. */
export interface StreamEvent {
  /** A UUID. */
  readonly id: string;
  /** Not empty. */
  readonly type: string;
  readonly contentType: "application/json" | "application/octet-stream";
  readonly data: Buffer;
  /** JSON, or nothing. */
  readonly metadata: Buffer;
}

/** Throws where the data cannot be written as JSON. */
export function jsonEvent({
  id = randomUUID(),
  type,
  data,
  metadata,
}: {
  readonly id?: string;
  readonly type: string;
  readonly data: object;
  readonly metadata?: object;
}): StreamEvent {
  return {
    id,
    type,
    contentType: "application/json",
    data: jsonOf(data),
    metadata: metadata === undefined ? Buffer.alloc(0) : jsonOf(metadata),
  };
}

/** An event of bytes as they are; its metadata say what they are. */
export function bytesEvent({
  id,
  type,
  data,
  metadata,
}: {
  readonly id: string;
  readonly type: string;
  readonly data: Buffer;
  readonly metadata: object;
}): StreamEvent {
  return { id, type, contentType: "application/octet-stream", data, metadata: jsonOf(metadata) };
}

/** How much an event counts towards the limit of an append. */
export const sizeOf = ({ type, data, metadata }: StreamEvent): number =>
  2 * type.length + data.length + metadata.length;

export const sizeOfAll = (events: readonly StreamEvent[]): number =>
  events.reduce((sum, event) => sum + sizeOf(event), 0);

const jsonOf = (value: object): Buffer => Buffer.from(JSON.stringify(value));
