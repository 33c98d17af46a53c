import type { DomainEvent, EventType, RecordedEvent } from "../../src/events/domainEvent.js";
import type { MembershipEvent } from "../../src/events/membership.js";
import { categoryOf, streamCategories, type StreamCategory } from "../../src/events/streams.js";
import { incarnationOf } from "../incarnationOf.js";
import type { Projection } from "../ports.js";
import type { FactOrigin, PermissionFact, PermissionHistoryChange } from "./changes.js";
import { restorationOf } from "./restoration.js";

/** Of accounts and keys the log's clock alone is told; what operators ask of projections is told to no projection. */
const categories = streamCategories.filter((category) => category !== "projection");
const withoutFacts: ReadonlySet<StreamCategory> = new Set(["serviceAccount", "apiKey"]);

/**
 * Everything that ever decided who may see what, as intervals. It reads accounts and keys too: the log's clock is made
 * of when each event was decided.
 */
export const permissionHistory: Projection<PermissionHistoryChange> = {
  name: "permissionHistory",
  categories,
  project: (event) => [{ origin: originOf(event), fact: factOf(event.event) }],
  failClosed(event) {
    const origin = originOf(event);
    if (withoutFacts.has(origin.category)) return { scope: event.stream, changes: [{ origin, fact: null }] };
    const datasourceId = incarnationOf(event);
    const scope = datasourceId === null ? "all datasources" : `datasource ${datasourceId}`;
    return { scope, changes: [{ origin, fact: { kind: "datasourceSuspended", datasourceId } }] };
  },
  restoration: (scope) => restorationOf(scope, { originOf, factOf }),
};

type Answers = {
  readonly [Type in EventType]: (event: Extract<DomainEvent, { readonly type: Type }>) => PermissionFact | null;
};

const nothing = (): null => null;

/** As exhaustive as a `match`, at the cost of a look-up: a rebuild asks this for every event of the log. */
const answers: Answers = {
  DatasourceRegistered: ({ data: { datasourceId, name } }) => ({ kind: "incarnationOpened", datasourceId, name }),
  DatasourceUpdated: nothing,
  DatasourceDeleted: ({ data: { datasourceId } }) => ({ kind: "incarnationClosed", datasourceId }),
  SubAdded: nothing,
  SubRemoved: nothing,
  GroupCreated: ({ data: { datasourceId, groupId, name } }) => ({ kind: "groupNamed", datasourceId, groupId, name }),
  GroupRenamed: ({ data: { datasourceId, groupId, name } }) => ({ kind: "groupNamed", datasourceId, groupId, name }),
  UserRegistered: ({ data: { datasourceId, email } }) => ({ kind: "personRegistered", datasourceId, email }),
  UserRenamed: nothing,
  MembershipAdded: ({ data }) => membership("memberJoined", data),
  MembershipRemoved: ({ data }) => membership("memberLeft", data),
  DocumentIndexed: ({ data: { datasourceId, documentId, access } }) => ({
    kind: "documentIndexed",
    datasourceId,
    documentId,
    access,
  }),
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

const membership = (
  kind: "memberJoined" | "memberLeft",
  { datasourceId, groupId, member }: MembershipEvent["data"],
): PermissionFact => ({
  kind,
  datasourceId,
  groupId,
  member,
});

function factOf(event: DomainEvent): PermissionFact | null {
  const answer = answers[event.type] as (event: DomainEvent) => PermissionFact | null;
  return answer(event);
}

function originOf({ stream, revision, position, event, metadata, unreadable }: RecordedEvent): FactOrigin {
  const at = Date.parse(metadata.at);
  return {
    position,
    category: categoryOf(stream),
    streamId: stream.slice(stream.indexOf("-") + 1),
    revision,
    type: unreadable?.type ?? event.type,
    at: Number.isNaN(at) ? null : at,
    by: String(metadata.by),
  };
}
