import type { Email } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleAccount } from "./handleAccount.js";

interface DisableAccount {
  readonly email: Email;
}

/** Ends somebody's sessions and lets nobody sign in with the account any more; doing so again changes nothing. */
export const disableAccount = (
  services: CommandServices,
  { email }: DisableAccount,
  context: CommandContext,
): CommandResult<null> => handleAccount(services, { type: "DisableAccount", email, by: context.by }, context, null);
