import { groupGraphStream } from "../../src/events/streams.js";
import type { DatasourceId, GroupId } from "../../src/shared/ids.js";
import { ok } from "../../src/shared/result.js";
import type { CommandContext, CommandResult, MembershipReference } from "../commands.js";
import { findLiveDatasource } from "../datasource/liveDatasource.js";
import type { CommandHandler } from "../handleCommand.js";
import { handleUser } from "../user/handleUser.js";
import { findGroup, groupGraphAggregate } from "./decider.js";
import { handleGroup } from "./handleGroup.js";

/** Which command of which stream a change of a membership is. */
export interface MembershipChange {
  readonly ofGroup: "AddNestedGroup" | "RemoveNestedGroup";
  readonly ofUser: "AddMembership" | "RemoveMembership";
}

/**
 * Changes a membership in its boundary: between groups in the group graph, of a person in the person's own stream.
 * Looks for datasource, group, member and membership in this order (spec: POST and DELETE /memberships).
 */
export async function handleMembership(
  handler: CommandHandler,
  context: CommandContext,
  { datasource, group, member }: MembershipReference,
  { ofGroup, ofUser }: MembershipChange,
): CommandResult<null> {
  const live = await findLiveDatasource(handler, context, datasource);
  if (!live.ok) return live;
  const { datasourceId } = live.value.datasource;
  if (member.kind === "group")
    return handleGroup(handler, context, { type: ofGroup, datasourceId, datasource, group, member: member.name });
  const found = await lookUpGroup(handler, context, { datasourceId, datasource, group });
  if (!found.ok) return found;
  return handleUser(handler, context, {
    type: ofUser,
    datasourceId,
    datasource,
    email: member.email,
    groupId: found.value.value,
    group,
  });
}

/** In turn with the group graph's commands: a group whose creation is not durable yet is not there. */
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
