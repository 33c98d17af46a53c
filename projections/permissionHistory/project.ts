import type { DomainEvent, EventType, RecordedEvent } from "../../src/events/domainEvent.js";
import type { MembershipEvent } from "../../src/events/membership.js";
import { categoryOf, streamCategories } from "../../src/events/streams.js";
import { toDatasourceId, type DatasourceId } from "../../src/shared/ids.js";
import type { Projection } from "../ports.js";
import type { FactOrigin, PermissionFact, PermissionHistoryChange } from "./changes.js";

/**
 * Everything that ever decided who may see what, as intervals. It reads the events of all categories: the log's clock is
 * made of when each of them was decided.
 */
export const permissionHistory: Projection<PermissionHistoryChange> = {
  name: "permissionHistory",
  categories: streamCategories,
  project: (event) => [{ origin: originOf(event), fact: factOf(event.event) }],
  failClosed(event) {
    const datasourceId = generationOf(event);
    const scope = datasourceId === null ? "all datasources" : `datasource ${datasourceId}`;
    return { scope, changes: [{ origin: originOf(event), fact: { kind: "datasourceSuspended", datasourceId } }] };
  },
};

type Answers = { readonly [Type in EventType]: (event: Extract<DomainEvent, { readonly type: Type }>) => PermissionFact | null };

const nothing = (): null => null;

/** As exhaustive as a `match`, at the cost of a look-up: a rebuild asks this for every event of the log. */
const answers: Answers = {
  DatasourceRegistered: ({ data: { datasourceId, name } }) => ({ kind: "generationOpened", datasourceId, name }),
  DatasourceUpdated: nothing,
  DatasourceDeleted: ({ data: { datasourceId } }) => ({ kind: "generationClosed", datasourceId }),
  SubAdded: nothing,
  SubRemoved: nothing,
  GroupCreated: ({ data: { datasourceId, groupId, name } }) => ({ kind: "groupNamed", datasourceId, groupId, name }),
  GroupRenamed: ({ data: { datasourceId, groupId, name } }) => ({ kind: "groupNamed", datasourceId, groupId, name }),
  UserRegistered: ({ data: { datasourceId, email } }) => ({ kind: "personRegistered", datasourceId, email }),
  UserRenamed: nothing,
  MembershipAdded: ({ data }) => membership("memberJoined", data),
  MembershipRemoved: ({ data }) => membership("memberLeft", data),
  DocumentIndexed: ({ data: { datasourceId, documentId, access } }) => ({ kind: "documentIndexed", datasourceId, documentId, access }),
  DocumentDeleted: ({ data: { datasourceId, documentId } }) => ({ kind: "documentDeleted", datasourceId, documentId }),
  ServiceAccountCreated: nothing,
  ServiceAccountRevoked: nothing,
  ApiKeyCreated: nothing,
  ApiKeyRevoked: nothing,
  ProjectionRebuildStarted: nothing,
  ProjectionCompared: nothing,
  ProjectionVersionAccepted: nothing,
  ProjectionRollbackStarted: nothing,
  ProjectionVersionActivated: nothing,
  ProjectionVersionDropped: nothing,
  ProjectionPaused: nothing,
  ProjectionResumed: nothing,
  ParkedEventRetried: nothing,
  ParkedEventDiscarded: nothing,
  ReadModelRepairRequested: nothing,
};

const membership = (kind: "memberJoined" | "memberLeft", { datasourceId, groupId, member }: MembershipEvent["data"]): PermissionFact => ({
  kind,
  datasourceId,
  groupId,
  member,
});

function factOf(event: DomainEvent): PermissionFact | null {
  const answer = answers[event.type] as (event: DomainEvent) => PermissionFact | null;
  return answer(event);
}

function originOf({ stream, revision, position, event, metadata }: RecordedEvent): FactOrigin {
  const at = Date.parse(metadata.at);
  return {
    position,
    category: categoryOf(stream),
    streamId: stream.slice(stream.indexOf("-") + 1),
    revision,
    type: event.type,
    at: Number.isNaN(at) ? null : at,
    by: String(metadata.by),
  };
}

/** From the stream's name where it says so: the event itself is what could not be read. */
function generationOf({ stream, event }: RecordedEvent): DatasourceId | null {
  const id = stream.slice(stream.indexOf("-") + 1);
  const category = categoryOf(stream);
  if (category === "groupGraph") return toDatasourceId(id);
  if (category === "user" || category === "document") return toDatasourceId(id.slice(0, id.indexOf(":")));
  const named = (event.data as { readonly datasourceId?: unknown } | undefined)?.datasourceId;
  return typeof named === "string" ? toDatasourceId(named) : null;
}
