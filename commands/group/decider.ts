import { match } from "ts-pattern";
import type { GroupGraphEvent } from "../../src/events/groupGraph.js";
import type { DatasourceId, DatasourceName, GroupId } from "../../src/shared/ids.js";
import { failed, ok, type Result } from "../../src/shared/result.js";
import { membershipsPerDeletion, type Aggregate, type Decision } from "../aggregate.js";
import type { Rejection } from "../rejection.js";
import { evolve, initialState, isDirectMember, nestingsOf, pathUp, retract, type GroupGraph } from "./groupGraph.js";

interface InDatasource {
  readonly datasourceId: DatasourceId;
  readonly datasource: DatasourceName;
}

interface NestedMembership extends InDatasource {
  readonly group: string;
  /** The name of the group that is, or is to be, a member of `group`. */
  readonly member: string;
}

export type GroupCommand =
  | (InDatasource & { readonly type: "CreateGroup"; readonly groupId: GroupId; readonly name: string })
  | (InDatasource & { readonly type: "RenameGroup"; readonly name: string; readonly newName: string })
  | (InDatasource & { readonly type: "DeleteGroup"; readonly name: string })
  | (NestedMembership & { readonly type: "AddNestedGroup" })
  | (NestedMembership & { readonly type: "RemoveNestedGroup" });

/** Names are checked by `groupName.ts` before they come here. */
export function decide(command: GroupCommand, graph: GroupGraph): Decision<GroupGraphEvent> {
  return match(command)
    .returnType<Decision<GroupGraphEvent>>()
    .with({ type: "CreateGroup" }, ({ datasourceId, datasource, groupId, name }) => {
      if (graph.idsByName.has(name)) return failed({ type: "GroupExists", datasource, group: name });
      return ok([{ type: "GroupCreated", data: { datasourceId, groupId, name } }]);
    })
    .with({ type: "RenameGroup" }, (rename) => renameGroup(rename, graph))
    .with({ type: "DeleteGroup" }, (deletion) => deleteGroup(deletion, graph))
    .with({ type: "AddNestedGroup" }, (membership) => onBothGroups(membership, graph, addNestedGroup))
    .with({ type: "RemoveNestedGroup" }, (membership) => onBothGroups(membership, graph, removeNestedGroup))
    .exhaustive();
}

/** The id of the group that has this name now. */
export function findGroup(graph: GroupGraph, datasource: DatasourceName, name: string): Result<GroupId, Rejection> {
  const groupId = graph.idsByName.get(name);
  return groupId === undefined ? failed({ type: "GroupNotFound", datasource, group: name }) : ok(groupId);
}

function renameGroup(
  { datasourceId, datasource, name, newName }: GroupCommand & { type: "RenameGroup" },
  graph: GroupGraph,
): Decision<GroupGraphEvent> {
  const found = findGroup(graph, datasource, name);
  if (!found.ok) return found;
  if (newName === name) return ok([]);
  if (graph.idsByName.has(newName)) return failed({ type: "GroupExists", datasource, group: newName });
  return ok([
    { type: "GroupRenamed", data: { datasourceId, groupId: found.value, name: newName, previousName: name } },
  ]);
}

/**
 * Nestings end before the group does, each by an event of its own. Where one append cannot take all of them, some end,
 * and the command is given again.
 */
function deleteGroup(
  { datasourceId, datasource, name }: GroupCommand & { type: "DeleteGroup" },
  graph: GroupGraph,
): Decision<GroupGraphEvent> {
  const found = findGroup(graph, datasource, name);
  if (!found.ok) return found;
  const groupId = found.value;
  const nestings = nestingsOf(graph, groupId);
  const ended = nestings
    .slice(0, membershipsPerDeletion)
    .map(({ group, member }) => ({ type: "MembershipRemoved", data: nested(datasourceId, group, member) }) as const);
  return ok(
    ended.length < nestings.length
      ? ended
      : [...ended, { type: "GroupDeleted", data: { datasourceId, groupId, name } }],
  );
}

type NestedDecision = (
  membership: NestedMembership,
  group: GroupId,
  member: GroupId,
  graph: GroupGraph,
) => Decision<GroupGraphEvent>;

function onBothGroups(
  membership: NestedMembership,
  graph: GroupGraph,
  decision: NestedDecision,
): Decision<GroupGraphEvent> {
  const group = findGroup(graph, membership.datasource, membership.group);
  if (!group.ok) return group;
  const member = findGroup(graph, membership.datasource, membership.member);
  return member.ok ? decision(membership, group.value, member.value, graph) : member;
}

const addNestedGroup: NestedDecision = (membership, group, member, graph) => {
  if (isDirectMember(graph, member, group)) {
    return failed({ type: "MembershipExists", group: membership.group, member: membership.member });
  }
  const path = pathUp(graph, group, member);
  if (path !== null) return failed({ type: "MembershipCycle", path: [...path, membership.group] });
  return ok([{ type: "MembershipAdded", data: nested(membership.datasourceId, group, member) }]);
};

const removeNestedGroup: NestedDecision = (membership, group, member, graph) => {
  if (!isDirectMember(graph, member, group)) {
    return failed({ type: "MembershipNotFound", group: membership.group, member: membership.member });
  }
  return ok([{ type: "MembershipRemoved", data: nested(membership.datasourceId, group, member) }]);
};

const nested = (datasourceId: DatasourceId, groupId: GroupId, member: GroupId) => ({
  datasourceId,
  groupId,
  member: { kind: "group", groupId: member } as const,
});

export const groupGraphAggregate: Aggregate<GroupGraph, GroupGraphEvent> = {
  initialState,
  evolve,
  retract,
  cacheCost: ({ groups }) => 3 * groups.size,
};
