import { timingSafeEqual } from "node:crypto";
import type { Queries } from "../../queries/queries.js";
import type { CredentialRecord } from "../readModels/credentials.js";
import { hashSecret, roles } from "../shared/credential.js";
import { toCredentialId } from "../shared/ids.js";
import type { ApiContext } from "./apiContext.js";

/**
 * The operator who has started this process. It may do everything that personal keys allow, and make credentials. It is
 * in no log and no read model, so no credential that can be created is ever this one.
 */
export const operatorOfThisProcess: CredentialRecord = {
  ...{ id: toCredentialId("operator"), kind: "apiKey", secretSha256: "", name: null, email: null, datasources: null },
  ...{ createdAt: "", createdBy: "operator", expiresAt: null, revokedAt: null, roles },
  ...{ lastUsedAt: null, previousSecret: null },
};

/** The same questions, but `authenticate` also takes this credential: for {@link operatorOfThisProcess}. */
export function acceptOperator(queries: Queries, credential: string): Queries {
  const expected = Buffer.from(hashSecret(credential));
  const isOperator = (text: string): boolean => timingSafeEqual(Buffer.from(hashSecret(text)), expected);
  return {
    ...queries,
    authenticate: async (question) =>
      isOperator(question.credential) ? operatorOfThisProcess : queries.authenticate(question),
  };
}

/** Whether a request comes from {@link operatorOfThisProcess}. */
export const isOperatorOfThisProcess = ({ state: { credential } }: ApiContext): boolean =>
  credential === operatorOfThisProcess;
