import type { Role } from "../../src/shared/credential.js";
import type { Email } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { normalizedRoles } from "./account.js";
import { handleAccount } from "./handleAccount.js";

interface SetRoles {
  readonly email: Email;
  /** All that the account is to have, in any order. */
  readonly roles: readonly Role[];
}

/** Gives and takes roles until the account has these; taking one ends its sessions. Answers with the roles. */
export function setRoles(
  services: CommandServices,
  { email, roles: asked }: SetRoles,
  context: CommandContext,
): CommandResult<readonly Role[]> {
  const roles = normalizedRoles(asked);
  return handleAccount(services, { type: "SetRoles", email, roles, by: context.by }, context, roles);
}
