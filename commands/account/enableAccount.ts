import type { Email } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleAccount } from "./handleAccount.js";

interface EnableAccount {
  readonly email: Email;
}

/** Lets somebody sign in again, with the password and the roles of before; sessions of before stay ended. */
export const enableAccount = (
  services: CommandServices,
  { email }: EnableAccount,
  context: CommandContext,
): CommandResult<null> => handleAccount(services, { type: "EnableAccount", email }, context, null);
