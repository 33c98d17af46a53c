import type { Commands } from "../commands.js";
import type { CommandServices } from "../services.js";
import { handleMembership } from "./handleMembership.js";

/** Ends a person's or a group's membership in a group (spec: DELETE /memberships). */
export const createRemoveMembership =
  ({ handler }: CommandServices): Commands["removeMembership"] =>
  (membership, context) =>
    handleMembership(handler, context, membership, { ofGroup: "RemoveNestedGroup", ofUser: "RemoveMembership" });
