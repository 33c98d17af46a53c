import { match } from "ts-pattern";
import type { RecordedEvent } from "../../src/events/domainEvent.js";
import type { MembershipAdded, MembershipRemoved } from "../../src/events/membership.js";
import { categoryOf } from "../../src/events/streams.js";
import { toDatasourceId, type DatasourceId } from "../../src/shared/ids.js";
import type { Projection } from "../ports.js";
import type { GroupClosureChange } from "./changes.js";

/** Events of datasources, groups and people become who holds which tokens. */
export const groupClosure: Projection<GroupClosureChange> = {
  name: "groupClosure",
  categories: ["datasource", "groupGraph", "user"],
  project,
  failClosed(event) {
    const datasourceId = generationOf(event);
    return { scope: `datasource ${datasourceId}`, changes: [{ kind: "datasourceSuspended", datasourceId }] };
  },
};

/** Memberships come first: nearly all events are memberships, and the patterns are tried in order. */
function project({ event }: RecordedEvent): readonly GroupClosureChange[] {
  return match(event)
    .returnType<readonly GroupClosureChange[]>()
    .with({ type: "MembershipAdded" }, ({ data }) => [joined(data)])
    .with({ type: "MembershipRemoved" }, ({ data }) => [left(data)])
    .with({ type: "UserRegistered" }, ({ data: { datasourceId, email } }) => [{ kind: "personRegistered", datasourceId, email }])
    .with({ type: "GroupCreated" }, { type: "GroupRenamed" }, ({ data: { datasourceId, groupId, name } }) => [
      { kind: "groupNamed", datasourceId, groupId, name },
    ])
    .with({ type: "DatasourceRegistered" }, ({ data: { datasourceId } }) => [{ kind: "datasourceOpened", datasourceId }])
    .with({ type: "DatasourceDeleted" }, ({ data: { datasourceId } }) => [{ kind: "datasourceClosed", datasourceId }])
    .with({ type: "UserRenamed" }, { type: "DatasourceUpdated" }, { type: "SubAdded" }, { type: "SubRemoved" }, () => [])
    .with({ type: "DocumentIndexed" }, { type: "DocumentDeleted" }, () => [])
    .with({ type: "ServiceAccountCreated" }, { type: "ServiceAccountRevoked" }, { type: "ApiKeyCreated" }, { type: "ApiKeyRevoked" }, () => [])
    .exhaustive();
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

/** From the stream's name where it says so: the event itself is what could not be read. */
function generationOf({ stream, event }: RecordedEvent): DatasourceId {
  const id = stream.slice(stream.indexOf("-") + 1);
  const category = categoryOf(stream);
  if (category === "groupGraph") return toDatasourceId(id);
  if (category === "user") return toDatasourceId(id.slice(0, id.indexOf(":")));
  return (event.data as { readonly datasourceId: DatasourceId }).datasourceId;
}
