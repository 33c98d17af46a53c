import { apiKeyStream } from "../../src/events/streams.js";
import { formatCredential, hashSecret } from "../../src/shared/credential.js";
import { failed } from "../../src/shared/result.js";
import type { Commands } from "../commands.js";
import { answering } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { refuseEmptyEmail } from "../user/refuseEmptyEmail.js";
import { apiKeyAggregate, decide } from "./decider.js";

/** Creates a person's key for the query API; the secret leaves in the answer and nowhere else. */
export const createCreateApiKey =
  ({ handler, minting, productName }: CommandServices): Commands["createApiKey"] =>
  async ({ email, expiresAt, roles }, context) => {
    const refusal = refuseEmptyEmail(email);
    if (refusal !== null) return failed(refusal);
    const credential = minting.credential("apiKey");
    const { id, secret } = credential;
    const created = { id, email, secretSha256: hashSecret(secret), expiresAt, roles: [...new Set(roles)].sort() };
    return handler.handle({
      aggregate: apiKeyAggregate,
      stream: apiKeyStream(id),
      context,
      decide: (state) =>
        answering(decide({ type: "CreateApiKey", created }, state), {
          id,
          credential: formatCredential(credential, productName),
        }),
    });
  };
