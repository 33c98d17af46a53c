import { groupGraphStream } from "../../src/events/streams.js";
import type { DatasourceId, DatasourceName, Email, GroupId } from "../../src/shared/ids.js";
import { ok } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import { findLiveDatasource } from "../datasource/liveDatasource.js";
import type { CommandHandler } from "../handleCommand.js";
import { handleUser } from "../user/handleUser.js";
import { findGroup, groupGraphAggregate } from "./decider.js";
import { handleGroup } from "./handleGroup.js";

export type MemberReference =
  { readonly kind: "user"; readonly email: Email } | { readonly kind: "group"; readonly name: string };

/** Which membership is to be added or removed. */
export interface MembershipReference {
  readonly datasource: DatasourceName;
  readonly group: string;
  readonly member: MemberReference;
}

/** The commands that change a membership, by the member's kind. */
export interface MembershipChange {
  readonly group: "AddNestedGroup" | "RemoveNestedGroup";
  readonly user: "AddMembership" | "RemoveMembership";
}

/**
 * Changes a membership in its boundary: between groups in the group graph, of a person in the person's own stream.
 * Looks for datasource, group, member and membership in this order (spec: POST and DELETE /memberships).
 */
export async function handleMembership(
  handler: CommandHandler,
  context: CommandContext,
  { datasource, group, member }: MembershipReference,
  change: MembershipChange,
): CommandResult<null> {
  const live = await findLiveDatasource(handler, context, datasource);
  if (!live.ok) return live;
  const { datasourceId } = live.value.datasource;
  if (member.kind === "group")
    return handleGroup(handler, context, { type: change.group, datasourceId, datasource, group, member: member.name });
  const found = await lookUpGroup(handler, context, { datasourceId, datasource, group });
  if (!found.ok) return found;
  return handleUser(handler, context, {
    type: change.user,
    datasourceId,
    datasource,
    email: member.email,
    groupId: found.value.value,
    group,
  });
}

/** Waits its turn among the group graph's commands, so that it finds no group whose creation is not durable yet. */
function lookUpGroup(
  handler: CommandHandler,
  context: CommandContext,
  {
    datasourceId,
    datasource,
    group,
  }: { readonly datasourceId: DatasourceId } & Pick<MembershipReference, "datasource" | "group">,
): CommandResult<GroupId> {
  return handler.handle({
    aggregate: groupGraphAggregate,
    stream: groupGraphStream(datasourceId),
    context,
    decide(graph) {
      const found = findGroup(graph, datasource, group);
      return found.ok ? ok({ events: [], value: found.value }) : found;
    },
  });
}
