import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import type { DatasourceName, Email } from "../../src/shared/ids.js";
import { findLiveDatasource } from "../datasource/liveDatasource.js";
import type { CommandHandler } from "../handleCommand.js";
import { replacedMemberships } from "../groupMembers/replacedMemberships.js";
import { handleUser } from "../user/userCommands.js";
import { handleGroup, lookUpGroup } from "./groupCommands.js";

/** Makes a person or a group a member of a group (spec: POST /memberships). */
export function addMembership(
  { handler }: CommandServices,
  membership: MembershipReference,
  context: CommandContext,
): CommandResult<null> {
  return handleMembership(handler, context, membership, { group: "AddNestedGroup", user: "AddMembership" });
}

/** Ends a person's or a group's membership in a group (spec: DELETE /memberships). */
export function removeMembership(
  { handler }: CommandServices,
  membership: MembershipReference,
  context: CommandContext,
): CommandResult<null> {
  return handleMembership(handler, context, membership, { group: "RemoveNestedGroup", user: "RemoveMembership" });
}

export type MemberReference =
  { readonly kind: "user"; readonly email: Email } | { readonly kind: "group"; readonly name: string };

/** Which membership is to be added or removed. */
export interface MembershipReference {
  readonly datasource: DatasourceName;
  readonly group: string;
  readonly member: MemberReference;
}

/** The commands that change a membership, by the member's kind. */
interface MembershipChange {
  readonly group: "AddNestedGroup" | "RemoveNestedGroup";
  readonly user: "AddMembership" | "RemoveMembership";
}

/**
 * Changes a membership in its boundary: between groups in the group graph, of a person in the person's own stream.
 * Looks for datasource, group, member and membership in this order (spec: POST and DELETE /memberships).
 */
async function handleMembership(
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
  const { email } = member;
  const [found, replaced] = await Promise.all([
    lookUpGroup(handler, context, { datasourceId, datasource, group }),
    replacedMemberships(handler, { datasourceId, email }),
  ]);
  if (!found.ok) return found;
  const groupId = found.value.value;
  return handleUser(handler, context, {
    type: change.user,
    ...{ datasourceId, datasource, email, groupId, group, replaced },
  });
}
