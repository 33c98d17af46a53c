import { json } from "typia";
import type { QueryParameters } from "../../http/route.js";
import { answerMessage } from "../../http/validation/message.js";
import type { AccessAnswer, AskAccess } from "../auditQueries.js";
import { AuditParameters, documentInQuery, momentInQuery, userInQuery } from "./auditParameters.js";

/** The parameters of `GET /api/audit/access`. */
export const accessQuestion: QueryParameters<AskAccess> = {
  moments: ["at"],
  parameters: [userInQuery, documentInQuery, momentInQuery],
  check: (parameters) => {
    const given = new AuditParameters(parameters, ["user", "document", "at"]);
    return given.checked({ user: given.user("user"), ...given.document("document"), at: given.moment("at") });
  },
};

export const accessAnswer = answerMessage(json.schema<AccessAnswer>());
