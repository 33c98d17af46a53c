import { apiKeyStream } from "../../src/events/streams.js";
import { formatCredential, hashSecret, type KeyRole } from "../../src/shared/credential.js";
import type { Email } from "../../src/shared/ids.js";
import type { Language } from "../../src/shared/language.js";
import { failed } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith } from "../handleCommand.js";
import type { CommandServices, CreatedCredential } from "../services.js";
import { refuseEmptyEmail } from "../user/refuseEmptyEmail.js";
import { apiKeyAggregate, decide } from "./decider.js";

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
