import type { CredentialId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleSession } from "./handleSession.js";

interface EndSession {
  readonly id: CredentialId;
}

/** Ends one session for good: the person signs out. Ending it again changes nothing. */
export const endSession = (
  services: CommandServices,
  { id }: EndSession,
  context: CommandContext,
): CommandResult<null> => handleSession(services, { type: "EndSession", id }, context);
