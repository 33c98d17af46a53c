import type { ApiKeyEvent, ServiceAccountEvent } from "../../src/events/credential.js";
import type { DomainEvent, EventOf, EventType, RecordedEvent } from "../../src/events/domainEvent.js";
import type { MembershipEvent } from "../../src/events/membership.js";
import type { ProjectionEvent } from "../../src/events/projection.js";
import { categoryOf, idOf, streamCategories, type StreamCategory } from "../../src/events/streams.js";
import { incarnationOf } from "../incarnationOf.js";
import type { Projection } from "../ports.js";
import type { FactOrigin, PermissionFact, PermissionHistoryChange } from "./changes.js";
import { restorationOf } from "./restoration.js";

/** Accounts and keys are followed for the log's clock alone. What operators ask of projections is not followed. */
const categories = streamCategories.filter((category) => category !== "projection");
const withoutFacts: ReadonlySet<StreamCategory> = new Set(["serviceAccount", "apiKey"]);

/** Everything that ever decided who may see what, as intervals; and when each event was decided: the log's clock. */
export const permissionHistory: Projection<PermissionHistoryChange> = {
  name: "permissionHistory",
  categories,
  project: (event) => [{ origin: originOf(event), fact: factOf(event.event) }],
  failClosed(event) {
    const origin = originOf(event);
    if (withoutFacts.has(origin.category))
      return { scope: { kind: "stream", stream: event.stream }, changes: [{ origin, fact: null }] };
    const datasourceId = incarnationOf(event);
    return {
      scope: datasourceId === null ? { kind: "all datasources" } : { kind: "datasource", datasourceId },
      changes: [{ origin, fact: { kind: "datasourceSuspended", datasourceId } }],
    };
  },
  restoration: (scope) => restorationOf(scope, { originOf, factOf }),
};

/**
 * Accounts, keys and projections have no part in who may see what. A new event of another category fails to compile
 * until it is answered for here.
 */
type OwnType = Exclude<EventType, (ServiceAccountEvent | ApiKeyEvent | ProjectionEvent)["type"]>;

type Answers = { readonly [Type in OwnType]: (event: EventOf<Type>) => PermissionFact | null };

const nothing = (): null => null;

/** A table and no `match`, as in the group closure: a rebuild asks this for every event of the log. */
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
  const answer = answers[event.type as OwnType] as ((own: DomainEvent) => PermissionFact | null) | undefined;
  return answer === undefined ? null : answer(event);
}

function originOf({ stream, revision, position, event, metadata, unreadable }: RecordedEvent): FactOrigin {
  const at = Date.parse(metadata.at);
  return {
    position,
    category: categoryOf(stream),
    streamId: idOf(stream),
    revision,
    type: unreadable?.type ?? event.type,
    at: Number.isNaN(at) ? null : at,
    by: String(metadata.by),
  };
}
