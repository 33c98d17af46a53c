import { match } from "ts-pattern";
import type { DomainEvent, EventBesidesAccess, RecordedEvent } from "../../src/events/domainEvent.js";
import type { GroupCreated, GroupRenamed } from "../../src/events/groupGraph.js";
import type { MembershipEvent } from "../../src/events/membership.js";
import {
  categoriesOfFacts,
  categoryOf,
  idOf,
  type StreamCategory,
  datasourceStream,
  documentStream,
  groupGraphStream,
  permissionCategories,
  userStream,
  type StreamName,
} from "../../src/events/streams.js";
import { incarnationOf } from "../incarnationOf.js";
import type { Projection, Restoration, StreamRestoration } from "../ports.js";
import { projectByType } from "../projectByType.js";
import type { EventOrigin, PermissionChange, PermissionHistoryChange, HistoryScope } from "./ports.js";
import type { Scope } from "../../src/events/scope.js";

/** Accounts and keys are followed for the log's clock alone. */
const ofClockAlone: ReadonlySet<StreamCategory> = new Set(["serviceAccount", "apiKey"]);

const nothing = (): null => null;

/** A new event of another category fails to compile until it is answered for here. */
type OwnEvent = Exclude<DomainEvent, EventBesidesAccess>;

const changeOf = projectByType<OwnEvent, PermissionChange | null>(
  {
    DatasourceRegistered({ event: { data } }) {
      return { kind: "incarnationOpened", datasourceId: data.datasourceId, name: data.name };
    },
    DatasourceUpdated: nothing,
    DatasourceDeleted: ({ event: { data } }) => ({ kind: "incarnationClosed", datasourceId: data.datasourceId }),
    SubAdded: nothing,
    SubRemoved: nothing,
    GroupCreated: ({ event: { data } }) => groupNamed(data),
    GroupRenamed: ({ event: { data } }) => groupNamed(data),
    GroupDeleted({ event: { data } }) {
      return { kind: "groupDeleted", datasourceId: data.datasourceId, groupId: data.groupId };
    },
    UserRegistered({ event: { data } }) {
      return { kind: "personRegistered", ...data };
    },
    UserRenamed: ({ event: { data } }) => ({ kind: "personRenamed", ...data }),
    UserDeleted({ event: { data } }) {
      return { kind: "personDeleted", datasourceId: data.datasourceId, email: data.email };
    },
    MembershipAdded: ({ event: { data } }) => membership("memberJoined", data),
    MembershipRemoved: ({ event: { data } }) => membership("memberLeft", data),
    GroupMembersReplaced: ({ event: { data } }) => ({ kind: "membersReplaced", ...data }),
    DocumentIndexed({ event: { data } }) {
      const { datasourceId, documentId, access, lastModified, title } = data;
      return { kind: "documentIndexed", datasourceId, documentId, access, lastModified, title };
    },
    DocumentDeleted({ event: { data } }) {
      return { kind: "documentDeleted", datasourceId: data.datasourceId, documentId: data.documentId };
    },
  },
  null,
);

/** Everything that ever decided who may see what, as intervals; and when each event was decided: the log's clock. */
export const permissionHistory: Projection<PermissionHistoryChange> = {
  name: "permissionHistory",
  categories: categoriesOfFacts,
  project: (event) => [{ origin: originOf(event), change: changeOf(event) }],
  failClosed(event) {
    const origin = originOf(event);
    if (ofClockAlone.has(origin.category))
      return { scope: { kind: "stream", stream: event.stream }, changes: [{ origin, change: null }] };
    const datasourceId = incarnationOf(event);
    return {
      scope: datasourceId === null ? { kind: "all datasources" } : { kind: "datasource", datasourceId },
      changes: [{ origin, change: { kind: "datasourceSuspended", datasourceId } }],
    };
  },
  restoration: restorationOf,
};

function groupNamed({ datasourceId, groupId, name }: (GroupCreated | GroupRenamed)["data"]): PermissionChange {
  return { kind: "groupNamed", datasourceId, groupId, name };
}

function membership(
  kind: "memberJoined" | "memberLeft",
  { datasourceId, groupId, member }: MembershipEvent["data"],
): PermissionChange {
  return { kind, datasourceId, groupId, member };
}

function originOf({ stream, revision, position, event, metadata, unreadable }: RecordedEvent): EventOrigin {
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

type Changes = readonly PermissionHistoryChange[];

/** How a scope is made afresh; null for streams of which more than the clock is followed: they are no scopes here. */
function restorationOf(scope: Scope): Restoration<PermissionHistoryChange> | null {
  const recorded = (event: RecordedEvent): Changes => [{ origin: originOf(event), change: null, anew: true }];
  const followed = (event: RecordedEvent, isDiscarded: boolean): Changes =>
    isDiscarded ? recorded(event) : [{ origin: originOf(event), change: changeOf(event), anew: true }];
  const afresh = (stream: StreamName, forgotten: HistoryScope): StreamRestoration<PermissionHistoryChange> => ({
    stream,
    before: [{ forgotten }],
    changes: followed,
  });
  return match(scope)
    .returnType<Restoration<PermissionHistoryChange> | null>()
    .with({ kind: "events" }, (forgotten) => ({
      categories: categoriesOfFacts,
      includes: () => true,
      before: [[{ forgotten }]],
      changes: recorded,
      ofUnreadable: recorded,
      after: [],
    }))
    .with({ kind: "all datasources" }, (forgotten) => ({
      categories: permissionCategories,
      includes: () => true,
      before: [[{ forgotten }]],
      changes: followed,
      ofUnreadable: (event) => suspended(event, originOf(event)),
      after: [],
    }))
    .with({ kind: "datasource" }, (forgotten) => ({
      categories: permissionCategories,
      includes: (event) => incarnationOf(event) === forgotten.datasourceId,
      before: [[{ forgotten }]],
      changes: followed,
      after: [],
    }))
    .with({ kind: "registrations" }, (forgotten) => afresh(datasourceStream(forgotten.name), forgotten))
    .with({ kind: "groups" }, (forgotten) => afresh(groupGraphStream(forgotten.datasourceId), forgotten))
    .with({ kind: "person" }, (forgotten) => afresh(userStream(forgotten.datasourceId, forgotten.email), forgotten))
    .with({ kind: "document" }, (forgotten) =>
      afresh(documentStream(forgotten.datasourceId, forgotten.documentId), forgotten),
    )
    .with({ kind: "stream" }, ({ stream }) =>
      isOfClockAlone(stream) ? { stream, before: [], changes: recorded } : null,
    )
    .exhaustive();
}

const isOfClockAlone = (stream: StreamName): boolean =>
  categoryOf(stream) === "serviceAccount" || categoryOf(stream) === "apiKey";

/** While everything is made afresh, a datasource with an event that cannot be read is suspended alone. */
function suspended(event: RecordedEvent, origin: EventOrigin): Changes {
  const datasourceId = incarnationOf(event);
  if (datasourceId === null) throw event.unreadable?.reason;
  return [{ origin, change: { kind: "datasourceSuspended", datasourceId }, anew: true }];
}
