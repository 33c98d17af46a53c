import type { DatasourceEvent } from "../../src/events/datasource.js";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import type { GroupCreated, GroupGraphEvent, GroupRenamed } from "../../src/events/groupGraph.js";
import type { GroupMembersEvent, MembershipAdded, MembershipRemoved } from "../../src/events/membership.js";
import { groupGraphStream, userStream } from "../../src/events/streams.js";
import type { UserEvent, UserRegistered } from "../../src/events/user.js";
import type { DatasourceId } from "../../src/shared/ids.js";
import { incarnationOf } from "../incarnationOf.js";
import type { Projection, SteppedRestoration } from "../ports.js";
import { projectByType } from "../projectByType.js";
import type { GroupClosureChange } from "./ports.js";

const nothing: readonly GroupClosureChange[] = [];

const project = projectByType<
  DatasourceEvent | GroupGraphEvent | GroupMembersEvent | UserEvent,
  readonly GroupClosureChange[]
>(
  {
    DatasourceRegistered: ({ event: { data } }) => [{ kind: "datasourceOpened", datasourceId: data.datasourceId }],
    DatasourceUpdated: () => nothing,
    DatasourceDeleted: ({ event: { data } }) => [{ kind: "datasourceClosed", datasourceId: data.datasourceId }],
    SubAdded: () => nothing,
    SubRemoved: () => nothing,
    GroupCreated: ({ event: { data } }) => [named(data)],
    GroupRenamed: ({ event: { data } }) => [named(data)],
    GroupDeleted: ({ event: { data } }) => [
      { kind: "groupDeleted", datasourceId: data.datasourceId, groupId: data.groupId },
    ],
    UserRegistered: ({ event: { data } }) => [registered(data)],
    UserRenamed: () => nothing,
    UserDeleted: ({ event: { data } }) => [
      { kind: "personForgotten", datasourceId: data.datasourceId, email: data.email },
    ],
    MembershipAdded: ({ event: { data } }) => [joined(data)],
    MembershipRemoved: ({ event: { data } }) => [left(data)],
    GroupMembersReplaced({ event: { data } }) {
      const { datasourceId, groupId } = data;
      return [
        ...data.left.map((email) => ({ kind: "personLeft", datasourceId, groupId, email }) as const),
        ...data.joined.map((email) => ({ kind: "personJoined", datasourceId, groupId, email }) as const),
      ];
    },
  },
  nothing,
);

/** Events of datasources, groups and people become who holds which tokens. */
export const groupClosure: Projection<GroupClosureChange> = {
  name: "groupClosure",
  categories: ["datasource", "groupGraph", "groupMembers", "user"],
  project,
  failClosed(event) {
    const datasourceId = incarnationOf(event);
    if (datasourceId === null) return { scope: { kind: "stream", stream: event.stream }, changes: [] };
    return { scope: { kind: "datasource", datasourceId }, changes: [{ kind: "datasourceSuspended", datasourceId }] };
  },
  restoration(scope) {
    if (scope.kind === "datasource") return restoreDatasource(scope);
    if (scope.kind === "groups") {
      const { datasourceId } = scope;
      const stream = groupGraphStream(datasourceId);
      return { stream, before: [{ kind: "groupsForgotten", datasourceId }], changes: followed };
    }
    if (scope.kind !== "person") return null;
    const { datasourceId, email } = scope;
    const stream = userStream(datasourceId, email);
    return { stream, before: [{ kind: "personForgotten", datasourceId, email }], changes: followed };
  },
};

const restoreDatasource = ({
  datasourceId,
}: {
  readonly datasourceId: DatasourceId;
}): SteppedRestoration<GroupClosureChange> => ({
  categories: groupClosure.categories,
  includes: (event) => incarnationOf(event) === datasourceId,
  before: [[{ kind: "datasourceClosed", datasourceId }], [{ kind: "datasourceRestoring", datasourceId }]],
  changes: followed,
  after: [{ kind: "datasourceRestored", datasourceId }],
});

const followed = (event: RecordedEvent, isDiscarded: boolean): readonly GroupClosureChange[] =>
  isDiscarded ? nothing : project(event);

function named({ datasourceId, groupId, name }: (GroupCreated | GroupRenamed)["data"]): GroupClosureChange {
  return { kind: "groupNamed", datasourceId, groupId, name };
}

function registered({ datasourceId, email }: UserRegistered["data"]): GroupClosureChange {
  return { kind: "personRegistered", datasourceId, email };
}

function joined({ datasourceId, groupId, member }: MembershipAdded["data"]): GroupClosureChange {
  return member.kind === "user"
    ? { kind: "personJoined", datasourceId, groupId, email: member.email }
    : { kind: "groupJoined", datasourceId, groupId, member: member.groupId };
}

function left({ datasourceId, groupId, member }: MembershipRemoved["data"]): GroupClosureChange {
  return member.kind === "user"
    ? { kind: "personLeft", datasourceId, groupId, email: member.email }
    : { kind: "groupLeft", datasourceId, groupId, member: member.groupId };
}
