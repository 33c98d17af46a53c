import { recordQuestion } from "./recordQuestion.js";
import { whatIfAnswer, whatIfMessage, whatIfPage } from "../messages/whatIf.js";
import { commandContextOf } from "../../http/apiContext.js";
import { jsonBody } from "../../http/body/jsonBody.js";
import { valueOf } from "../../http/envelopes.js";
import { route } from "../../http/route.js";

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
  body: jsonBody(whatIfMessage),
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

/** A dry run (ADR 12): what requests would come to. */
export const auditWhatIfRoutes = [tryOut];
