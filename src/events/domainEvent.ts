import type { AccountEvent } from "./account.js";
import type { AgentEvent } from "./agent.js";
import type { AnswerEvent } from "./answer.js";
import type { AuditQuestionEvent } from "./auditQuestion.js";
import type { ApiKeyEvent, ServiceAccountEvent } from "./credential.js";
import type { DatasourceEvent } from "./datasource.js";
import type { DocumentEvent } from "./document.js";
import type { FileEvent } from "./file.js";
import type { GroupGraphEvent } from "./groupGraph.js";
import type { GroupMembersEvent } from "./membership.js";
import type { ProjectionEvent } from "./projection.js";
import type { SessionEvent } from "./session.js";
import type { StreamName } from "./streams.js";
import type { SyncRunEvent } from "./syncRun.js";
import type { UserEvent } from "./user.js";
import type { CredentialId, DatasourceId } from "../shared/ids.js";
import type { Position, Revision } from "../shared/position.js";

/** Everything that can ever have happened. docs/extending.md says what a new event touches. */
export type DomainEvent =
  DatasourceEvent | GroupGraphEvent | GroupMembersEvent | UserEvent | DocumentEvent | EventBesidesAccess;

/**
 * Events that open no document to anybody: service accounts, keys, projections, questions, sync runs, uploaded files,
 * which are their owner's alone, agents, answers, people's accounts and sessions. A new category is one of them, or is
 * answered for by every fold of access.
 */
export type EventBesidesAccess =
  | ServiceAccountEvent
  | ApiKeyEvent
  | ProjectionEvent
  | AuditQuestionEvent
  | SyncRunEvent
  | FileEvent
  | AgentEvent
  | AnswerEvent
  | AccountEvent
  | SessionEvent;

export type EventType = DomainEvent["type"];
/** The events of these types. */
export type EventOf<Type extends EventType> = Extract<DomainEvent, { readonly type: Type }>;

/** The credential that asked for an event, the time, and the cause. */
export interface EventMetadata {
  /** ISO instant at which the command was decided. */
  readonly at: string;
  /** The credential that asked for it: for a session its person's email; `operator` for the command line. */
  readonly by: CredentialId | "operator";
  /** One per request. */
  readonly correlationId: string;
  /** What caused it directly: the request, another event's id, or a sync run's. */
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
   * Set only in subscriptions, and only where the event could not be read: it is damaged, of a later version or of an
   * unknown type. `event` then holds nothing that may be used, and a projection has to park it.
   */
  readonly unreadable?: UnreadableEvent;
}

/** What is known of an event that could not be read. */
interface UnreadableEvent {
  /** The type that is stored. */
  readonly type: string;
  /** An Error that names stream and position. */
  readonly reason: unknown;
  /**
   * Set in a datasource's stream only: the incarnation. It comes from the event itself, or from the newest event before
   * it that names one; null where none does.
   */
  readonly datasourceId: DatasourceId | null;
}
