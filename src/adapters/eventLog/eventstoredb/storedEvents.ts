import type { RecordedEvent as StoredRecord } from "@eventstore/db-client";
import type { NewEvent } from "../../../../commands/ports.js";
import type { DomainEvent, EventMetadata, RecordedEvent } from "../../../events/domainEvent.js";
import { categoryOf, type StreamCategory, type StreamName } from "../../../events/streams.js";
import { currentVersion, upcast, type Upcasters } from "../../../events/upcasters.js";
import { toPosition, type Position } from "../../../shared/position.js";
import { jsonEvent, type StreamEvent } from "./streamEvent.js";

/** The names that EventStoreDB gives to correlation and causation; its own tools know them. */
interface StoredMetadata {
  readonly at: string;
  readonly by: EventMetadata["by"];
  readonly $correlationId: string;
  readonly $causationId: string;
  /** In which version of its type the event was written. */
  readonly version: number;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Throws where the client or the server would choke on it, which can cost the client's connection or the whole process. */
export function toStreamEvent({ id, event, metadata }: NewEvent, upcasters: Upcasters): StreamEvent {
  if (!uuid.test(id)) throw new Error(`The id of an event must be a UUID, but is ${JSON.stringify(id)}.`);
  if (!event.type) throw new Error("An event must have a type.");
  if (typeof event.data !== "object" || event.data === null) throw new Error(`The data of ${event.type} must be an object.`);
  const { at, by, correlationId, causationId } = metadata;
  const stored: StoredMetadata = { at, by, $correlationId: correlationId, $causationId: causationId, version: currentVersion(event.type, upcasters) };
  return jsonEvent({ id, type: event.type, data: event.data, metadata: stored });
}

/** Reads an event in its current shape. Throws, naming stream and position, where it cannot be read. */
export function toRecordedEvent(record: StoredRecord, stream: StreamName, upcasters: Upcasters): RecordedEvent {
  try {
    const { version = 1, ...metadata } = objectIn(record.metadata, "metadata") as unknown as StoredMetadata;
    if (typeof metadata.at !== "string") throw new Error("its metadata does not say when it was.");
    return {
      ...placeOf(record, stream),
      event: upcast({ type: record.type, version, data: objectIn(record.data, "data") }, upcasters),
      metadata: { at: metadata.at, by: metadata.by, correlationId: metadata.$correlationId, causationId: metadata.$causationId },
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The event at position ${placeOf(record, stream).position} of the log (${record.type}, revision ${record.revision} of stream ${stream}) cannot be read: ${reason}`, { cause: error });
  }
}

/** As {@link toRecordedEvent}, but what cannot be read stands in for itself, so that a projection can park it. */
export function toDeliveredEvent(record: StoredRecord, stream: StreamName, upcasters: Upcasters): RecordedEvent {
  try {
    const recorded = toRecordedEvent(record, stream, upcasters);
    if (Object.hasOwn(knownTypes, record.type)) return recorded;
    throw new Error(`The event at position ${recorded.position} of the log (${record.type}, revision ${record.revision} of stream ${stream}) is of a type that this program does not know.`);
  } catch (error) {
    return unreadable(record, stream, error);
  }
}

/** Where a record stands in the whole log. */
export const positionOf = ({ position }: StoredRecord): Position => toPosition(position?.commit ?? 0n);

const placeOf = (record: StoredRecord, stream: StreamName): Pick<RecordedEvent, "id" | "stream" | "revision" | "position"> => ({
  id: record.id,
  stream,
  revision: Number(record.revision),
  position: positionOf(record),
});

function objectIn(value: unknown, what: string): object {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) throw new Error(`its ${what} is no JSON object.`);
  return value;
}

/** Every type there is; the compiler sees to it that none is forgotten. */
const knownTypes: Readonly<Record<DomainEvent["type"], true>> = {
  DatasourceRegistered: true, DatasourceUpdated: true, DatasourceDeleted: true, SubAdded: true, SubRemoved: true,
  GroupCreated: true, GroupRenamed: true, MembershipAdded: true, MembershipRemoved: true,
  UserRegistered: true, UserRenamed: true,
  DocumentIndexed: true, DocumentDeleted: true,
  ServiceAccountCreated: true, ServiceAccountRevoked: true, ApiKeyCreated: true, ApiKeyRevoked: true,
  ProjectionRebuildStarted: true, ProjectionCompared: true, ProjectionVersionAccepted: true, ProjectionRollbackStarted: true,
  ProjectionVersionActivated: true, ProjectionVersionDropped: true, ProjectionPaused: true, ProjectionResumed: true,
  ParkedEventRetried: true, ParkedEventDiscarded: true,
};

/** As what an unreadable event of a stream is delivered: a type of which every projection of that category has to take notice. */
const standIns: Readonly<Record<StreamCategory, DomainEvent["type"]>> = {
  datasource: "DatasourceUpdated",
  groupGraph: "GroupCreated",
  user: "UserRegistered",
  document: "DocumentIndexed",
  serviceAccount: "ServiceAccountCreated",
  apiKey: "ApiKeyCreated",
  projection: "ProjectionVersionActivated",
};

/**
 * An event of the stream's category whose data knows only what it happened to (from the stream's name, or its own data)
 * and throws the reason as soon as anything else is asked of it: applying it fails, and failing closed still works.
 */
function unreadable(record: StoredRecord, stream: StreamName, reason: unknown): RecordedEvent {
  const subject = subjectOf(record, stream);
  const data = new Proxy(subject, {
    get(target, key) {
      if (key in target || typeof key === "symbol") return Reflect.get(target, key) as unknown;
      throw reason;
    },
    ownKeys() {
      throw reason;
    },
  });
  const at = record.created.toISOString();
  return {
    ...placeOf(record, stream),
    event: { type: standIns[categoryOf(stream)], data } as unknown as DomainEvent,
    metadata: { at, by: "operator", correlationId: record.id, causationId: record.id },
  };
}

function subjectOf({ data }: StoredRecord, stream: StreamName): Record<string, unknown> {
  const known = typeof data === "object" && data !== null ? (data as Record<string, unknown>) : {};
  const id = stream.slice(stream.indexOf("-") + 1);
  const [datasourceId, rest] = id.split(/:(.*)/s);
  const category = categoryOf(stream);
  if (category === "document") return { datasourceId, documentId: rest };
  if (category === "user" || category === "groupGraph") return { datasourceId };
  return typeof known["datasourceId"] === "string" ? { datasourceId: known["datasourceId"] } : {};
}
