import { json } from "typia";
import type { QueryParameters } from "../../http/route.js";
import { inQuery } from "../../http/validation/inQuery.js";
import { missing, tooMany } from "../../http/validation/issue.js";
import { answerMessage } from "../../http/validation/message.js";
import { failed, ok } from "../../shared/result.js";

/** Whose a credential is, or was. */
export interface NamedCredential {
  id: string;
  kind: "service_account" | "api_key";
  /** A service account's name, or the email of a key's person. */
  name: string;
}

/** Answer of `GET /api/audit/credentials`. */
export interface NamedCredentialsAnswer {
  items: NamedCredential[];
}

const mostAtOnce = 200;

/** The parameters of `GET /api/audit/credentials`. */
export const namedCredentialsQuestion: QueryParameters<{ readonly ids: ReadonlySet<string> }> = {
  parameters: [
    inQuery("id", "The id of a credential; repeated for several.", { type: "array", items: { type: "string" } }, true),
  ],
  check: (parameters) => {
    const ids = parameters.get("id") ?? [];
    if (ids.length === 0) return failed([missing(["query", "id"])]);
    return ids.length > mostAtOnce ? failed([tooMany(["query", "id"], mostAtOnce)]) : ok({ ids: new Set(ids) });
  },
};

export const namedCredentialsAnswer = answerMessage(json.schema<NamedCredentialsAnswer>());
