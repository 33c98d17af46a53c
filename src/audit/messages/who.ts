import type { Checked } from "../../http/validation/message.js";
import type { QueryString } from "../../http/validation/queryString.js";
import { json } from "typia";
import type { QueryParameters } from "../../http/route.js";
import { answerMessage } from "../../http/validation/message.js";
import type { AskHistory, WhoAnswer } from "../historyQuestions.js";
import { documentInQuery } from "./auditParameters.js";
import { HistoryParameters, pageNames, pageParameters } from "./historyParameters.js";

/** The parameters of `GET /api/audit/who`. */
export const whoQuestion: QueryParameters<AskHistory> = {
  moments: ["at"],
  parameters: [documentInQuery, ...pageParameters],
  check: checkWhoQuestion,
};

export const whoAnswer = answerMessage(json.schema<WhoAnswer>());

function checkWhoQuestion(parameters: QueryString): Checked<AskHistory> {
  const given = new HistoryParameters(parameters, ["document", ...pageNames]);
  return given.asked({ kind: "who", ...given.document("document") });
}
