import type { CredentialId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { Use } from "../lastUse.js";
import type { CommandServices } from "../services.js";
import { handleApiKey } from "./handleApiKey.js";

interface NoteApiKeyUsed extends Use {
  readonly id: CredentialId;
}

/** Writes down that a personal key is in use, unless it was lately, or is revoked. */
export const noteApiKeyUsed = (
  services: CommandServices,
  { id, usedAt, everyMs }: NoteApiKeyUsed,
  context: CommandContext,
): CommandResult<null> => handleApiKey(services, { type: "NoteApiKeyUsed", id, usedAt, everyMs }, context);
