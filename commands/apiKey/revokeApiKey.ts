import type { CredentialId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleApiKey } from "./handleApiKey.js";

interface RevokeApiKey {
  readonly id: CredentialId;
}

/** Ends a personal key for good; revoking it again changes nothing. */
export const revokeApiKey = (
  services: CommandServices,
  { id }: RevokeApiKey,
  context: CommandContext,
): CommandResult<null> => handleApiKey(services, { type: "RevokeApiKey", id }, context);
