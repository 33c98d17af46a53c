import type { ApiKeyEvent, ServiceAccountEvent } from "./credential.js";
import type { DatasourceEvent } from "./datasource.js";
import type { DocumentEvent } from "./document.js";
import type { GroupGraphEvent } from "./groupGraph.js";
import type { ProjectionEvent } from "./projection.js";
import type { StreamName } from "./streams.js";
import type { UserEvent } from "./user.js";
import type { CredentialId, DatasourceId } from "../shared/ids.js";
import type { Position, Revision } from "../shared/position.js";

/** Everything that can ever have happened. A new event is one line in its category's union. */
export type DomainEvent =
  DatasourceEvent | GroupGraphEvent | UserEvent | DocumentEvent | ServiceAccountEvent | ApiKeyEvent | ProjectionEvent;
export type EventType = DomainEvent["type"];

/** Who did it, when, and in answer to what. */
export interface EventMetadata {
  /** ISO instant at which the command was decided. */
  readonly at: string;
  /** The credential that asked for it; `operator` for the command line. */
  readonly by: CredentialId | "operator";
  /** One per request. */
  readonly correlationId: string;
  /** What directly caused it: the request, or another event's id. */
  readonly causationId: string;
}

/** An event as the log holds it. */
export interface RecordedEvent<Event extends DomainEvent = DomainEvent> {
  readonly id: string;
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly position: Position;
  readonly event: Event;
  readonly metadata: EventMetadata;
  /**
   * Only in a subscription, and only of an event that could not be read (damaged, of a later version, of an unknown
   * type): `event` then stands in for it and cannot be used, and a projection has to park it.
   */
  readonly unreadable?: UnreadableEvent;
}

/** What is known of an event that could not be read. */
export interface UnreadableEvent {
  /** As it is stored. */
  readonly type: string;
  /** An Error that names stream and position. */
  readonly reason: unknown;
  /**
   * In a datasource's stream, the incarnation: from the event itself, else from the newest event before it that names
   * one; null where none does.
   */
  readonly datasourceId: DatasourceId | null;
}
