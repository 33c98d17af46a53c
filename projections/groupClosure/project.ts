import type { EventOf, RecordedEvent } from "../../src/events/domainEvent.js";
import type { GroupGraphEvent } from "../../src/events/groupGraph.js";
import type { MembershipAdded, MembershipRemoved } from "../../src/events/membership.js";
import { groupGraphStream, userStream } from "../../src/events/streams.js";
import type { UserEvent } from "../../src/events/user.js";
import type { DatasourceId } from "../../src/shared/ids.js";
import { incarnationOf } from "../incarnationOf.js";
import type { Projection, SteppedRestoration } from "../ports.js";
import type { GroupClosureChange } from "./changes.js";

/** Events of datasources, groups and people become who holds which tokens. */
export const groupClosure: Projection<GroupClosureChange> = {
  name: "groupClosure",
  categories: ["datasource", "groupGraph", "user"],
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

/** A new event of groups or people fails to compile until it is answered for here. */
type OwnType = "DatasourceRegistered" | "DatasourceDeleted" | (GroupGraphEvent | UserEvent)["type"];

type Answers = { readonly [Type in OwnType]: (event: EventOf<Type>) => readonly GroupClosureChange[] };

const nothing: readonly GroupClosureChange[] = [];

/**
 * A table and no `match`, for a rebuild of millions of memberships: patterns that are tried in turn cost 0.5 to 2 µs of
 * the 7 µs that an event takes, a look-up 0.02.
 */
const answers: Answers = {
  DatasourceRegistered: ({ data: { datasourceId } }) => [{ kind: "datasourceOpened", datasourceId }],
  DatasourceDeleted: ({ data: { datasourceId } }) => [{ kind: "datasourceClosed", datasourceId }],
  GroupCreated: ({ data: { datasourceId, groupId, name } }) => [{ kind: "groupNamed", datasourceId, groupId, name }],
  GroupRenamed: ({ data: { datasourceId, groupId, name } }) => [{ kind: "groupNamed", datasourceId, groupId, name }],
  UserRegistered: ({ data: { datasourceId, email } }) => [{ kind: "personRegistered", datasourceId, email }],
  UserRenamed: () => nothing,
  MembershipAdded: ({ data }) => [joined(data)],
  MembershipRemoved: ({ data }) => [left(data)],
};

function project({ event }: RecordedEvent): readonly GroupClosureChange[] {
  const answer = answers[event.type as OwnType] as ((own: typeof event) => readonly GroupClosureChange[]) | undefined;
  return answer === undefined ? nothing : answer(event);
}

const followed = (event: RecordedEvent, isDiscarded: boolean): readonly GroupClosureChange[] =>
  isDiscarded ? nothing : project(event);

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
