import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleMembership, type MembershipReference } from "./handleMembership.js";

/** Ends a person's or a group's membership in a group (spec: DELETE /memberships). */
export function removeMembership(
  { handler }: CommandServices,
  membership: MembershipReference,
  context: CommandContext,
): CommandResult<null> {
  return handleMembership(handler, context, membership, { group: "RemoveNestedGroup", user: "RemoveMembership" });
}
