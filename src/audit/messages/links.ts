import { json } from "typia";
import type { QueryParameters } from "../../http/route.js";
import { inQuery } from "../../http/validation/inQuery.js";
import { answerMessage, type Checked } from "../../http/validation/message.js";
import type { QueryString } from "../../http/validation/queryString.js";
import type { AskHistory, ChangesAnswer, HistoryQuestion, LinksAnswer } from "../historyQuestions.js";
import { documentInQuery, optional, userInQuery } from "./auditParameters.js";
import { HistoryParameters, pageNames, pageParameters } from "./historyParameters.js";

/** What links of a group lead to. */
const fans = ["people", "documents"] as const;

/** The parameters of `GET /api/audit/links`: a document, a person, both, or a group. */
export const linksQuestion: QueryParameters<AskHistory> = {
  moments: ["at"],
  parameters: [
    optional(documentInQuery),
    optional(userInQuery),
    inQuery("group", "A group, as `{datasource}/{name}`."),
    inQuery("of", "Of the group: its people, or the documents that grant it something.", {
      type: "string",
      enum: fans,
      default: "people",
    }),
    ...pageParameters,
  ],
  check: checkLinksQuestion,
};

/** The parameters of `GET /api/audit/changes`: a document, a person, or both. */
export const changesQuestion: QueryParameters<AskHistory> = {
  moments: ["at"],
  parameters: [optional(documentInQuery), optional(userInQuery), ...pageParameters],
  check: (parameters) => {
    const given = new HistoryParameters(parameters, ["document", "user", ...pageNames]);
    if (!given.has("document") && !given.has("user")) given.refuse("name a document, a user, or both");
    return given.asked({ kind: "changes", ...pairIn(given) });
  },
};

export const linksAnswer = answerMessage(json.schema<LinksAnswer>());
export const changesAnswer = answerMessage(json.schema<ChangesAnswer>());

function checkLinksQuestion(parameters: QueryString): Checked<AskHistory> {
  const given = new HistoryParameters(parameters, ["document", "user", "group", "of", ...pageNames]);
  const isOfGroup = given.has("group");
  if (isOfGroup === (given.has("document") || given.has("user")))
    given.refuse("name a document, a user, both, or a group alone");
  if (!isOfGroup) return given.asked({ kind: "links", ...pairIn(given) });
  return given.asked({ kind: "linksOfGroup", ...given.group("group"), of: given.choice("of", fans) });
}

const pairIn = (given: HistoryParameters): Pick<Extract<HistoryQuestion, { kind: "links" }>, "document" | "user"> => ({
  document: given.has("document") ? given.document("document") : null,
  user: given.has("user") ? given.user("user") : null,
});
