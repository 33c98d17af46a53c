import { json } from "typia";
import type { KeyRole } from "../../shared/credential.js";
import type { Language } from "../../shared/language.js";
import { failed, ok } from "../../shared/result.js";
import type { QueryParameters } from "../../http/route.js";
import { inQuery } from "../../http/validation/inQuery.js";
import type { Issue } from "../../http/validation/issue.js";
import { answerMessage } from "../../http/validation/message.js";
import { flagIn } from "../../http/validation/parameters.js";
import type { ListedCredential } from "./listedCredential.js";

/** The parameters of `GET /api/admin/api-keys`. */
export const apiKeysQuery: QueryParameters<{ readonly all: boolean }> = {
  parameters: [inQuery("all", "true lists everybody's, for administrators.", { type: "boolean", default: false })],
  check(parameters) {
    const issues: Issue[] = [];
    const all = flagIn(parameters, "all", issues);
    return issues.length > 0 ? failed(issues) : ok({ all });
  },
};

export interface ListedApiKey extends ListedCredential {
  id: string;
  email: string | null;
  roles: KeyRole[];
  /** null: none was given. */
  language: Language | null;
}

/** Answer of `GET /api/admin/api-keys`: oldest first, revoked and expired ones too. */
export interface ApiKeysAnswer {
  api_keys: ListedApiKey[];
}

export const apiKeysAnswer = answerMessage(json.schema<ApiKeysAnswer>());
