import type { Email } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleAccount } from "./handleAccount.js";

interface EndSessions {
  readonly email: Email;
}

/** Signs somebody out everywhere. */
export const endSessions = (
  services: CommandServices,
  { email }: EndSessions,
  context: CommandContext,
): CommandResult<null> => handleAccount(services, { type: "EndSessions", email }, context, null);
