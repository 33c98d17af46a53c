import type { DomainEvent, RecordedEvent } from "../../events/domainEvent.js";
import { isEventType } from "../../events/eventTypes.js";
import { categoryOf, type StreamCategory, type StreamName } from "../../events/streams.js";
import { toDatasourceId, type DatasourceId } from "../../shared/ids.js";

/** What is known of a stored event that could not be read. */
export interface UnreadEvent extends Pick<RecordedEvent, "id" | "stream" | "revision" | "position"> {
  readonly type: string;
  /** ISO instant. */
  readonly at: string;
  /** Its data, or the bytes of it. */
  readonly data: unknown;
  readonly reason: unknown;
}

/** The event itself. Throws where this program does not know its type. */
export function knownEvent(recorded: RecordedEvent): RecordedEvent {
  const { event, position, revision, stream } = recorded;
  if (isEventType(event.type)) return recorded;
  throw new Error(
    `The event at position ${position} of the log (${event.type}, revision ${revision} of stream ${stream}) is of a type that this program does not know. Upgrade the program.`,
  );
}

/**
 * What is delivered in place of an event that could not be read, so that a projection can park it. It is of the
 * stream's category. Its data know only what the event happened to, and throw the reason as soon as anything else is
 * read from them. `datasourceId` is that of an event of a datasource; null where nobody knows it.
 */
export function standInFor(
  { id, stream, revision, position, type, at, reason }: UnreadEvent,
  datasourceId: DatasourceId | null,
): RecordedEvent {
  const data = new Proxy(subjectOf(stream, datasourceId), {
    get(target, key) {
      if (key in target || typeof key === "symbol") return Reflect.get(target, key) as unknown;
      throw reason;
    },
    ownKeys() {
      throw reason;
    },
  });
  return {
    id,
    stream,
    revision,
    position,
    event: { type: standIns[categoryOf(stream)], data } as unknown as DomainEvent,
    metadata: { at, by: "operator", correlationId: id, causationId: id },
    unreadable: { type, reason, datasourceId },
  };
}

/** The incarnation that an event's data name; null where they name none. */
export function datasourceIn(data: unknown): DatasourceId | null {
  const { datasourceId } = (typeof data === "object" && data !== null ? data : {}) as {
    readonly datasourceId?: unknown;
  };
  return typeof datasourceId === "string" ? toDatasourceId(datasourceId) : null;
}

/**
 * A datasource's stream is named by the datasource's name, which does not say to which incarnation an event belongs.
 * The names of all other streams say enough.
 */
export const isOfDatasource = (stream: StreamName): boolean => categoryOf(stream) === "datasource";

/** The event type as which an unreadable event of a stream is delivered. */
const standIns: Readonly<Record<StreamCategory, DomainEvent["type"]>> = {
  datasource: "DatasourceUpdated",
  groupGraph: "GroupCreated",
  user: "UserRegistered",
  document: "DocumentIndexed",
  serviceAccount: "ServiceAccountCreated",
  apiKey: "ApiKeyCreated",
  projection: "ProjectionVersionActivated",
  auditQuestion: "AuditQuestionAnswered",
  syncRun: "SyncRunAborted",
  groupMembers: "GroupMembersReplaced",
  file: "FileUploaded",
  agent: "AgentUpdated",
  answer: "WebQuerySent",
  account: "AccountDisabled",
  session: "SessionEnded",
};

function subjectOf(stream: StreamName, datasourceId: DatasourceId | null): Record<string, unknown> {
  const [first, rest] = stream.slice(stream.indexOf("-") + 1).split(/:(.*)/s);
  const category = categoryOf(stream);
  if (category === "document") return { datasourceId: first, documentId: rest };
  if (category === "user" || category === "groupGraph" || category === "groupMembers") return { datasourceId: first };
  return datasourceId === null ? {} : { datasourceId };
}
