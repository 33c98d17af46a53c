import type { ApiKeyEvent, ServiceAccountEvent } from "./credential.js";
import type { DatasourceEvent } from "./datasource.js";
import type { DocumentEvent } from "./document.js";
import type { GroupGraphEvent } from "./groupGraph.js";
import type { ProjectionEvent } from "./projection.js";
import type { StreamName } from "./streams.js";
import type { UserEvent } from "./user.js";
import type { CredentialId } from "../shared/ids.js";
import type { Position, Revision } from "../shared/position.js";

/** Everything that can ever have happened. A new event is one line in its category's union. */
export type DomainEvent = DatasourceEvent | GroupGraphEvent | UserEvent | DocumentEvent | ServiceAccountEvent | ApiKeyEvent | ProjectionEvent;
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
}
