import type { Checked } from "../../http/validation/message.js";
import type { QueryString } from "../../http/validation/queryString.js";
import { inQuery } from "../../http/validation/inQuery.js";
import { json } from "typia";
import type { QueryParameters } from "../../http/route.js";
import { answerMessage } from "../../http/validation/message.js";
import type { AskHistory, TimelineAnswer, HistoryQuestion } from "../historyQuestions.js";
import { optional, documentInQuery, userInQuery } from "./auditParameters.js";
import { HistoryParameters, nothing, pageNames, pageParameters } from "./historyParameters.js";

/**
 * The parameters of `GET /api/audit/history`: one of document, user and group; with `effective` document, user or both.
 */
export const historyQuestion: QueryParameters<AskHistory> = {
  moments: ["at"],
  parameters: [
    optional(documentInQuery),
    optional(userInQuery),
    inQuery("group", "A group, as `{datasource}/{name}`: all that ever bore the name."),
    inQuery("effective", "Intervals of what was visible instead of what was said.", {
      type: "boolean",
      default: false,
    }),
    ...pageParameters,
  ],
  check: checkHistoryQuestion,
};

export const timelineAnswer = answerMessage(json.schema<TimelineAnswer>());

function checkHistoryQuestion(parameters: QueryString): Checked<AskHistory> {
  const given = new HistoryParameters(parameters, ["document", "user", "group", "effective", ...pageNames]);
  return given.asked(given.flag("effective") ? effectiveQuestion(given) : timelineQuestion(given));
}

function timelineQuestion(given: HistoryParameters): HistoryQuestion {
  if (["document", "user", "group"].filter((name) => given.has(name)).length !== 1)
    given.refuse("name one of document, user and group");
  if (given.has("group")) return { kind: "groupTimeline", ...given.group("group") };
  if (given.has("user")) return { kind: "userTimeline", user: given.user("user") };
  return { kind: "documentTimeline", ...(given.has("document") ? given.document("document") : nothing) };
}

function effectiveQuestion(given: HistoryParameters): HistoryQuestion {
  if (given.has("group") || !(given.has("document") || given.has("user")))
    given.refuse("with effective, name a document, a user, or both");
  const document = given.has("document") ? given.document("document") : null;
  return { kind: "effective", document, user: given.has("user") ? given.user("user") : null };
}
