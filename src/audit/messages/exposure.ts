import type { Checked } from "../../http/validation/message.js";
import type { QueryString } from "../../http/validation/queryString.js";
import { inQuery } from "../../http/validation/inQuery.js";
import type { QueryParameters } from "../../http/route.js";
import type { AskHistory } from "../historyQuestions.js";
import { optional, documentInQuery } from "./auditParameters.js";
import { HistoryParameters, nothing, pageNames, pageParameters } from "./historyParameters.js";

/** The parameters of `GET /api/audit/exposure`: an event, or a document and whom it was granted to. */
export const exposureQuestion: QueryParameters<AskHistory> = {
  moments: ["at"],
  parameters: [
    inQuery("event", "Position of the event."),
    optional(documentInQuery),
    inQuery("grant", "Of the document: `anonymous`, `user:{email}` or `group:{name}`."),
    ...pageParameters,
  ],
  check: checkExposureQuestion,
};

function checkExposureQuestion(parameters: QueryString): Checked<AskHistory> {
  const given = new HistoryParameters(parameters, ["event", "document", "grant", ...pageNames]);
  const isOfGrant = given.has("document") || given.has("grant");
  if (given.has("event") === isOfGrant)
    given.refuse(`name an event, or a document and a grant${isOfGrant ? ", not both" : ""}`);
  if (!given.has("event"))
    return given.asked({
      kind: "exposureOfGrant",
      ...(isOfGrant ? given.document("document") : nothing),
      target: isOfGrant ? given.target("grant") : { kind: "anonymous" },
    });
  return given.asked({ kind: "exposureOfEvent", event: given.event("event") });
}
