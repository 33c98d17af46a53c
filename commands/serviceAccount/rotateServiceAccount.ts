import { formatCredential, hashSecret } from "../../src/shared/credential.js";
import type { CredentialId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices, CreatedCredential } from "../services.js";
import { handleServiceAccount } from "./handleServiceAccount.js";

interface RotateServiceAccount {
  readonly id: CredentialId;
  /** For how long the secret before still proves the account. */
  readonly overlapMs: number;
}

/** A service account with a new secret. */
export interface RotatedCredential extends CreatedCredential {
  readonly previousEndsAt: string;
}

/**
 * Gives a service account a second secret beside the first, which ends after the overlap. One that was still ending ends
 * now. The secret leaves in the answer and nowhere else.
 */
export function rotateServiceAccount(
  services: CommandServices,
  { id, overlapMs }: RotateServiceAccount,
  context: CommandContext,
): CommandResult<RotatedCredential> {
  const { minting, now, productName } = services;
  const credential = { ...minting.credential("serviceAccount"), id };
  const previousEndsAt = new Date(now().getTime() + overlapMs).toISOString();
  const secretSha256 = hashSecret(credential.secret);
  const command = { type: "RotateServiceAccount", id, secretSha256, previousEndsAt } as const;
  const shown = { id, credential: formatCredential(credential, productName), previousEndsAt };
  return handleServiceAccount(services, command, context, shown);
}
