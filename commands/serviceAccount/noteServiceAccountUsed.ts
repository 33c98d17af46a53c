import type { CredentialId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { Use } from "../lastUse.js";
import type { CommandServices } from "../services.js";
import { handleServiceAccount } from "./handleServiceAccount.js";

interface NoteServiceAccountUsed extends Use {
  readonly id: CredentialId;
}

/** Writes down that a service account is in use, unless it was lately, or is revoked. */
export const noteServiceAccountUsed = (
  services: CommandServices,
  { id, usedAt, everyMs }: NoteServiceAccountUsed,
  context: CommandContext,
): CommandResult<null> =>
  handleServiceAccount(services, { type: "NoteServiceAccountUsed", id, usedAt, everyMs }, context, null);
