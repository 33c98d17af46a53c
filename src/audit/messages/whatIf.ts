import { createValidate, json, type tags } from "typia";
import type { QueryParameters } from "../../http/route.js";
import type { MaxCharacters } from "../../http/validation/maxCharacters.js";
import { answerMessage, bodyMessage } from "../../http/validation/message.js";
import type { PageToken } from "../../shared/pageToken.js";
import type { WhatIfAnswer } from "../auditQueries.js";
import { HistoryParameters, historyPageSizes } from "./historyParameters.js";

const { minimum, maximum, otherwise } = historyPageSizes;

/** The parameters of `POST /api/audit/what-if`. */
export const whatIfPage: QueryParameters<{ readonly count: number; readonly next: PageToken | null }> = {
  parameters: [
    {
      name: "count",
      in: "query",
      description: "Items on a page, at most.",
      schema: { type: "integer", minimum, maximum, default: otherwise },
    },
    {
      name: "next",
      in: "query",
      description:
        "The `next` of the page before, sent with the same requests: all pages are of what would have come of them at the first one's moment.",
      schema: { type: "string" },
    },
  ],
  check: (parameters) => {
    const given = new HistoryParameters(parameters, ["count", "next"]);
    return given.checked({ count: given.count(), next: given.page("next") });
  },
};

/** A request of the Indexing API that changes something, to be tried. */
export interface TriedRequestMessage {
  method: string & tags.MinLength<1> & MaxCharacters<16>;
  /** With its query string, such as `/api/indexing/memberships`. */
  path: string & tags.MinLength<1> & MaxCharacters<4096>;
  /** As the API takes it; a document may leave out its text. */
  body?: unknown;
}

/** Body of `POST /api/audit/what-if`. */
export interface WhatIfMessage {
  /** Tried one after the other, each on what those before it would have left. */
  requests: TriedRequestMessage[] & tags.MaxItems<10000>;
}

/** What the requests say is the business of their routes. */
export const whatIfMessage = bodyMessage(json.schema<WhatIfMessage>(), createValidate<WhatIfMessage>());

export const whatIfAnswer = answerMessage(json.schema<WhatIfAnswer>());
