import type { CredentialId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleServiceAccount } from "./handleServiceAccount.js";

interface RevokeServiceAccount {
  readonly id: CredentialId;
}

/** Ends a service account for good; revoking it again changes nothing. */
export const revokeServiceAccount = (
  services: CommandServices,
  { id }: RevokeServiceAccount,
  context: CommandContext,
): CommandResult<null> => handleServiceAccount(services, { type: "RevokeServiceAccount", id }, context, null);
