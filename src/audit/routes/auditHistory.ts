import type { AskHistory } from "../historyQuestions.js";
import { answeredHistory, recordQuestion } from "./recordQuestion.js";
import { exposureQuestion } from "../messages/exposure.js";
import { historyQuestion, timelineAnswer } from "../messages/history.js";
import { visibilityAnswer } from "../messages/visibilityAnswer.js";
import { whatAnswer, whatQuestion } from "../messages/what.js";
import { whoAnswer, whoQuestion } from "../messages/who.js";
import type { ApiContext } from "../../http/apiContext.js";
import { valueOf } from "../../http/envelopes.js";
import { route, type CheckedRequest } from "../../http/route.js";
import { toldApart } from "../../http/validation/message.js";

async function handle(context: ApiContext, { query }: CheckedRequest<unknown, AskHistory>): Promise<void> {
  const answer = valueOf(await context.services.audit.history(query));
  await recordQuestion(context, answeredHistory(query, answer.position), query.next !== null);
  context.body = answer;
}

/** Of facts, or of intervals in which somebody could see something: which it is, the answer says. */
async function handleOfKind(context: ApiContext, request: CheckedRequest<unknown, AskHistory>): Promise<void> {
  await handle(context, request);
  const isTimeline = request.query.question.kind.endsWith("Timeline");
  context.body = { kind: isTimeline ? "timeline" : "visibility", ...(context.body as object) };
}

const asOf = { at: "2026-01-31T18:00:00.000Z", position: "1204" };
/** For a group it lists the groups from the one that is named down to the one that holds the person. */
const via = { grant: "user", groups: [] };
const fact = {
  fact: "ada@example.org was registered on handbook",
  event: "UserRegistered",
  stream: "user-5d3b:ada@example.org",
  revision: 0,
  position: "12",
  time: "2026-01-12T09:00:00.000Z",
  by: "pDrRIAPnr1V9",
};
const grant = {
  fact: "handbook/travel-2024.md was granted to ada@example.org",
  event: "DocumentIndexed",
  stream: "document-5d3b:travel-2024.md",
  revision: 0,
  position: "981",
  time: "2026-01-12T09:00:00.000Z",
  by: "pDrRIAPnr1V9",
};
const failures = {
  503: "The permission history has not come as far as the question asks, or an event that the answer rests on could not be applied: nothing is left out in silence.",
};

const askWho = route({
  method: "GET",
  path: "/api/audit/who",
  access: "auditor",
  query: whoQuestion,
  handle,
  description: {
    tag: "Audit",
    summary: "List everyone who could see a document",
    description:
      "By email, each with what lets the person see it: `anonymous`, `user`, or `group` with the shortest chain of groups from the one that the document names down to the one that holds the person. For a document that was not there: nobody, and why.",
    success: {
      description: "People.",
      schema: whoAnswer,
      example: { items: [{ user_email: "ada@example.org", via }], total: 1, ...asOf },
    },
    failures,
  },
});

const askWhat = route({
  method: "GET",
  path: "/api/audit/what",
  access: "auditor",
  query: whatQuestion,
  handle,
  description: {
    tag: "Audit",
    summary: "List every document that a person could see",
    description:
      "By datasource, then in the order in which they were first indexed. For a person who was not registered: nothing, and why.",
    success: {
      description: "Documents.",
      schema: whatAnswer,
      example: { items: [{ document: "handbook/travel-2024.md", via }], total: 1, ...asOf },
    },
    failures,
  },
});

const askHistory = route({
  method: "GET",
  path: "/api/audit/history",
  access: "auditor",
  query: historyQuestion,
  handle: handleOfKind,
  description: {
    tag: "Audit",
    summary: "Tell what happened to permissions",
    description:
      "Of a document, a person or a group: what was granted, who joined and left, in the order of the log, and who asked for it. With `effective`: the intervals during which a person could see a document (user and document), a document was visible to whom, or a person could see what; with `user_email`, `document`, `from`, `from_time`, `until`, `until_time`.",
    success: {
      description: "Facts, or intervals.",
      schema: toldApart("kind", { timeline: timelineAnswer, visibility: visibilityAnswer }),
      example: { kind: "timeline", items: [fact], ...asOf },
    },
    failures,
  },
});

const askExposure = route({
  method: "GET",
  path: "/api/audit/exposure",
  access: "auditor",
  query: exposureQuestion,
  handle: handleOfKind,
  description: {
    tag: "Audit",
    summary: "Tell what one fact alone made visible",
    description:
      "Every person, document and interval that was visible with a grant, a membership, a group's name or a registration, and would not have been without it. The fact is named by the event that made it so, or, for a grant, by the document and whom it is for: then the one that held at the moment, or the last before. `about` tells it.",
    success: {
      description: "Intervals.",
      schema: visibilityAnswer,
      example: {
        kind: "visibility",
        items: [
          {
            user_email: "ada@example.org",
            document: "handbook/travel-2024.md",
            from: "981",
            from_time: "2026-01-12T09:00:00.000Z",
            until: null,
            until_time: null,
          },
        ],
        about: grant,
        ...asOf,
      },
    },
    failures,
  },
});

/** Questions about more than one person or document (ADR 12). */
export const auditHistoryRoutes = [askWho, askWhat, askHistory, askExposure];
