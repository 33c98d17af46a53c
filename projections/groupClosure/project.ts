import type { DomainEvent, EventType, RecordedEvent } from "../../src/events/domainEvent.js";
import type { MembershipAdded, MembershipRemoved } from "../../src/events/membership.js";
import { toDatasourceId, toEmail } from "../../src/shared/ids.js";
import { incarnationOf } from "../incarnationOf.js";
import type { Projection, Restoration } from "../ports.js";
import type { GroupClosureChange } from "./changes.js";

/** Events of datasources, groups and people become who holds which tokens. */
export const groupClosure: Projection<GroupClosureChange> = {
  name: "groupClosure",
  categories: ["datasource", "groupGraph", "user"],
  project,
  failClosed(event) {
    const datasourceId = incarnationOf(event);
    if (datasourceId === null) return { scope: event.stream, changes: [] };
    return { scope: `datasource ${datasourceId}`, changes: [{ kind: "datasourceSuspended", datasourceId }] };
  },
  restoration,
};

/** Scopes are `datasource {id}`, `groups {datasourceId}` and `person {datasourceId}:{email}`. */
function restoration(scope: string): Restoration<GroupClosureChange> | null {
  const [kind, id = ""] = [scope.slice(0, scope.indexOf(" ")), scope.slice(scope.indexOf(" ") + 1)];
  const changes: Restoration<GroupClosureChange>["changes"] = (event, isLeftOut) =>
    isLeftOut ? nothing : project(event);
  if (kind === "datasource") {
    const datasourceId = toDatasourceId(id);
    return {
      categories: groupClosure.categories,
      includes: (event) => incarnationOf(event) === datasourceId,
      before: [[{ kind: "datasourceClosed", datasourceId }], [{ kind: "datasourceRestoring", datasourceId }]],
      changes,
      after: [{ kind: "datasourceRestored", datasourceId }],
    };
  }
  const isGroups = kind === "groups";
  if (!isGroups && kind !== "person") return null;
  const stream = `${isGroups ? "groupGraph" : "user"}-${id}`;
  const datasourceId = toDatasourceId(isGroups ? id : id.slice(0, id.indexOf(":")));
  const forgotten: GroupClosureChange = isGroups
    ? { kind: "groupsForgotten", datasourceId }
    : { kind: "personForgotten", datasourceId, email: toEmail(id.slice(id.indexOf(":") + 1)) };
  return { stream, before: [forgotten], changes };
}

type Answers = {
  readonly [Type in EventType]: (event: Extract<DomainEvent, { readonly type: Type }>) => readonly GroupClosureChange[];
};

const nothing: readonly GroupClosureChange[] = [];

/**
 * As exhaustive as a `match`: a new event fails to compile until it is answered for here. A look-up is what a rebuild
 * of millions of memberships can afford; patterns that are tried in turn cost more than reading the event.
 */
const answers: Answers = {
  DatasourceRegistered: ({ data: { datasourceId } }) => [{ kind: "datasourceOpened", datasourceId }],
  DatasourceUpdated: () => nothing,
  DatasourceDeleted: ({ data: { datasourceId } }) => [{ kind: "datasourceClosed", datasourceId }],
  SubAdded: () => nothing,
  SubRemoved: () => nothing,
  GroupCreated: ({ data: { datasourceId, groupId, name } }) => [{ kind: "groupNamed", datasourceId, groupId, name }],
  GroupRenamed: ({ data: { datasourceId, groupId, name } }) => [{ kind: "groupNamed", datasourceId, groupId, name }],
  UserRegistered: ({ data: { datasourceId, email } }) => [{ kind: "personRegistered", datasourceId, email }],
  UserRenamed: () => nothing,
  MembershipAdded: ({ data }) => [joined(data)],
  MembershipRemoved: ({ data }) => [left(data)],
  DocumentIndexed: () => nothing,
  DocumentDeleted: () => nothing,
  ServiceAccountCreated: () => nothing,
  ServiceAccountRevoked: () => nothing,
  ApiKeyCreated: () => nothing,
  ApiKeyRevoked: () => nothing,
  ProjectionRebuildStarted: () => nothing,
  ProjectionCompared: () => nothing,
  ProjectionVersionAccepted: () => nothing,
  ProjectionRollbackStarted: () => nothing,
  ProjectionVersionActivated: () => nothing,
  ProjectionVersionDropped: () => nothing,
  ProjectionPaused: () => nothing,
  ProjectionResumed: () => nothing,
  ParkedEventRetried: () => nothing,
  ParkedEventDiscarded: () => nothing,
  ReadModelRepairRequested: () => nothing,
};

function project({ event }: RecordedEvent): readonly GroupClosureChange[] {
  const answer = answers[event.type] as (event: DomainEvent) => readonly GroupClosureChange[];
  return answer(event);
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
