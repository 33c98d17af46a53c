import { valueOf } from "../../http/envelopes.js";
import { route } from "../../http/route.js";
import { documentName } from "../historyQuestions.js";
import { recordQuestion } from "./recordQuestion.js";
import { accessAnswer, accessQuestion } from "../messages/auditParameters.js";

const example = {
  has_access: true,
  at: "2026-01-31T18:00:00.000Z",
  position: "1204",
  explanation: [
    {
      fact: "handbook/travel-2024.md grants ada@example.org",
      event: "DocumentIndexed",
      stream: "document-5d3b:travel-2024.md",
      revision: 0,
      position: "981",
      time: "2026-01-12T09:00:00.000Z",
      by: "pDrRIAPnr1V9",
    },
  ],
};

const askAccess = route({
  method: "GET",
  path: "/api/audit/access",
  access: "auditor",
  query: accessQuestion,
  async handle(context, { query }) {
    const answer = valueOf(await context.services.audit.access(query));
    const about = { user: query.user, document: documentName(query.datasource, query.documentId) };
    await recordQuestion(context, { question: "access", about, asOf: answer.position });
    context.body = answer;
  },
  description: {
    tag: "Audit",
    summary: "Ask whether a person could see a document, and why",
    description:
      "As of a moment, from the log alone. A yes is explained by the events that make it so; a no by what fails first, and by the fewest requests that would have made it a yes. Now, what is granted and not served yet is a no, and `still_served` tells where what is refused is served still.",
    success: {
      description: "The decision. For whoever or whatever was not there it is a no.",
      schema: accessAnswer,
      example,
    },
    failures: {
      503: "The time cannot be placed in the log yet, or an event that the answer rests on cannot be read.",
    },
  },
});

/** Questions about the past (docs/design/audit.md). */
export const auditRoutes = [askAccess];
