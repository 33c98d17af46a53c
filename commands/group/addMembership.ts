import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleMembership, type MembershipReference } from "./handleMembership.js";

/** Makes a person or a group a member of a group (spec: POST /memberships). */
export function addMembership(
  { handler }: CommandServices,
  membership: MembershipReference,
  context: CommandContext,
): CommandResult<null> {
  return handleMembership(handler, context, membership, { group: "AddNestedGroup", user: "AddMembership" });
}
