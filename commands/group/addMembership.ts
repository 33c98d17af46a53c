import type { Commands } from "../commands.js";
import type { CommandServices } from "../services.js";
import { handleMembership } from "./handleMembership.js";

/** Makes a person or a group a member of a group (spec: POST /memberships). */
export const createAddMembership =
  ({ handler }: CommandServices): Commands["addMembership"] =>
  (membership, context) =>
    handleMembership(handler, context, membership, { ofGroup: "AddNestedGroup", ofUser: "AddMembership" });
