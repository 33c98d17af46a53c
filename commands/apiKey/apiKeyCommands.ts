import { apiKeyStream } from "../../src/events/streams.js";
import { formatCredential, hashSecret, type KeyRole } from "../../src/shared/credential.js";
import type { Email, CredentialId } from "../../src/shared/ids.js";
import type { Language } from "../../src/shared/texts.js";
import { failed } from "../../src/shared/result.js";
import type { CommandContext, CommandResult, Use } from "../command.js";
import type { CommandServices, CreatedCredential } from "../services.js";
import { replyWith } from "../handleCommand.js";
import { refuseEmptyEmail } from "../user/userCommands.js";
import { apiKeyAggregate, decide, type ApiKeyCommand } from "./decider.js";

interface CreateApiKey {
  readonly email: Email;
  readonly expiresAt: string | null;
  /** In any order, repeats allowed. */
  readonly roles: readonly KeyRole[];
  /** The person's; left out or null: not known. */
  readonly language?: Language | null;
}

/** Creates a person's key for the query API; the secret leaves in the answer and nowhere else. */
export async function createApiKey(
  { handler, minting, productName }: CommandServices,
  { email, expiresAt, roles, language }: CreateApiKey,
  context: CommandContext,
): CommandResult<CreatedCredential> {
  const refusal = refuseEmptyEmail(email);
  if (refusal !== null) return failed(refusal);
  const credential = minting.credential("apiKey");
  const { id, secret } = credential;
  const created = {
    ...{ id, email, secretSha256: hashSecret(secret), expiresAt, roles: [...new Set(roles)].sort() },
    ...(language && { language }),
  };
  return handler.handle({
    aggregate: apiKeyAggregate,
    stream: apiKeyStream(id),
    context,
    decide: (state) =>
      replyWith(decide({ type: "CreateApiKey", created }, state), {
        id,
        credential: formatCredential(credential, productName),
      }),
  });
}

interface RevokeApiKey {
  readonly id: CredentialId;
}

/** Ends a personal key for good; revoking it again changes nothing. */
export const revokeApiKey = (
  services: CommandServices,
  { id }: RevokeApiKey,
  context: CommandContext,
): CommandResult<null> => handleApiKey(services, { type: "RevokeApiKey", id }, context);

interface NoteApiKeyUsed extends Use {
  readonly id: CredentialId;
}

/** Writes down that a personal key is in use, unless it was lately, or is revoked. */
export const noteApiKeyUsed = (
  services: CommandServices,
  { id, usedAt, everyMs }: NoteApiKeyUsed,
  context: CommandContext,
): CommandResult<null> => handleApiKey(services, { type: "NoteApiKeyUsed", id, usedAt, everyMs }, context);

/** Carries out a command on a personal key that has been created. */
const handleApiKey = (
  { handler }: CommandServices,
  command: Exclude<ApiKeyCommand, { readonly type: "CreateApiKey" }>,
  context: CommandContext,
): CommandResult<null> =>
  handler.handle({
    aggregate: apiKeyAggregate,
    stream: apiKeyStream(command.id),
    context,
    decide: (state) => replyWith(decide(command, state), null),
  });
