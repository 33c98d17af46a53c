import type { Checked } from "../../http/validation/message.js";
import type { QueryString } from "../../http/validation/queryString.js";
import { json } from "typia";
import type { QueryParameters } from "../../http/route.js";
import { answerMessage } from "../../http/validation/message.js";
import type { AskHistory, WhatAnswer } from "../historyQuestions.js";
import { userInQuery } from "./auditParameters.js";
import { HistoryParameters, pageNames, pageParameters } from "./historyParameters.js";

/** The parameters of `GET /api/audit/what`. */
export const whatQuestion: QueryParameters<AskHistory> = {
  moments: ["at"],
  parameters: [userInQuery, ...pageParameters],
  check: checkWhatQuestion,
};

export const whatAnswer = answerMessage(json.schema<WhatAnswer>());

function checkWhatQuestion(parameters: QueryString): Checked<AskHistory> {
  const given = new HistoryParameters(parameters, ["user", ...pageNames]);
  return given.asked({ kind: "what", user: given.user("user") });
}
