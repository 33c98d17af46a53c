import type { CredentialId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { Use } from "../lastUse.js";
import type { CommandServices } from "../services.js";
import { handleSession } from "./handleSession.js";

interface NoteSessionUsed extends Use {
  readonly id: CredentialId;
}

/** Writes down that a session is in use, unless it was lately, or is over. */
export const noteSessionUsed = (
  services: CommandServices,
  { id, usedAt, everyMs }: NoteSessionUsed,
  context: CommandContext,
): CommandResult<null> => handleSession(services, { type: "NoteSessionUsed", id, usedAt, everyMs }, context);
