import { createValidate, json, type tags } from "typia";
import { recordQuestion } from "./recordQuestion.js";
import { commandContextOf } from "../../http/apiContext.js";
import { jsonBody, listLimits } from "../../http/body/jsonBody.js";
import { valueOf } from "../../http/envelopes.js";
import { route } from "../../http/route.js";
import type { MaxCharacters } from "../../http/validation/characters.js";
import { answerMessage, bodyMessage } from "../../http/validation/message.js";
import type { WhatIfAnswer } from "../auditQueries.js";
import { integer, strictQueryOf } from "../../http/validation/parameters.js";
import { ok } from "../../shared/result.js";
import { historyPageSizes, nextPage } from "../messages/historyParameters.js";

/** The parameters of `POST /api/audit/what-if`. */
const whatIfPage = strictQueryOf(
  {
    count: integer("Items on a page, at most.", historyPageSizes),
    next: nextPage(
      "The `next` of the page before, sent with the same requests: all pages are of what would have come of them at the first one's moment.",
    ),
  },
  ok,
);

/** A request of the Indexing API that changes something, to be tried. */
interface TriedRequestMessage {
  method: string & tags.MinLength<1> & MaxCharacters<16>;
  /** With its query string, such as `/api/indexing/memberships`. */
  path: string & tags.MinLength<1> & MaxCharacters<4096>;
  /** The body as the API takes it; a document may leave out its text. */
  body?: unknown;
}

/** Body of `POST /api/audit/what-if`. */
interface WhatIfMessage {
  /** Tried one after the other, each on what those before it would have left. */
  requests: TriedRequestMessage[] & tags.MaxItems<10000>;
}

/** What the requests say is the business of their routes. */
const whatIfMessage = bodyMessage(json.schema<WhatIfMessage>(), createValidate<WhatIfMessage>());

const whatIfAnswer = answerMessage(json.schema<WhatIfAnswer>());

const withdraw = {
  method: "POST",
  path: "/api/indexing/documents",
  body: {
    documents: {
      datasource: "handbook",
      id: "travel-2024.md",
      title: "Travel expenses",
      file_type: "markdown",
      permissions: {},
    },
  },
};

const tryOut = route({
  method: "POST",
  path: "/api/audit/what-if",
  access: "auditor",
  query: whatIfPage,
  body: jsonBody(whatIfMessage, listLimits),
  async handle(context, { query, body: { requests } }) {
    const answer = valueOf(await context.services.whatIf(requests, commandContextOf(context), query));
    await recordQuestion(context, { question: "what-if", about: {}, asOf: answer.position }, query.next !== null);
    context.body = answer;
  },
  description: {
    tag: "Audit",
    summary: "Try requests: who would gain and who would lose sight of what",
    description:
      "Takes any requests of the Indexing API that change something, but for the commit of a sync run and the replacement of members (501: try the deletions, or the memberships, that they come to), hands them one after the other to the API's own handlers, and writes nothing. Documents may leave out their text. `status` and `detail` are what each request would be answered with. Those who would gain come first, then those who would lose.",
    example: { requests: [withdraw] },
    success: {
      description: "What would come of it.",
      schema: whatIfAnswer,
      example: {
        ...{
          at: "2026-01-31T18:00:00.000Z",
          position: "1204",
          outcomes: [
            {
              method: withdraw.method,
              path: withdraw.path,
              status: 200,
              detail: "travel-2024.md: document sent to the indexing pipeline.",
            },
          ],
        },
        items: [
          {
            change: "loses",
            user_email: "ada@example.org",
            document: "handbook/travel-2024.md",
            via: { grant: "user", groups: [] },
          },
        ],
        ...{ total: 1, total_gains: 0, total_losses: 1, total_relation: "eq" },
      },
    },
    failures: {
      503: "The permission history has not come as far as the log, or an event that the answer rests on could not be applied.",
    },
  },
});

/** A dry run (docs/design/audit.md): what requests would come to. */
export const auditWhatIfRoutes = [tryOut];
