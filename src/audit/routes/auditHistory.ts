import type { AskHistory } from "../historyQuestions.js";
import { answeredHistory, recordQuestion } from "./recordQuestion.js";
import {
  exposureQuestion,
  historyQuestion,
  timelineAnswer,
  changesAnswer,
  changesQuestion,
  linksAnswer,
  linksQuestion,
  visibilityAnswer,
  whoAnswer,
  whoQuestion,
  whatAnswer,
  whatQuestion,
} from "../messages/historyParameters.js";
import type { ApiContext } from "../../http/apiContext.js";
import { valueOf } from "../../http/envelopes.js";
import { route, type CheckedRequest } from "../../http/route.js";
import { toldApart } from "../../http/validation/message.js";

async function handle(context: ApiContext, { query }: CheckedRequest<unknown, AskHistory>): Promise<void> {
  const answer = valueOf(await context.services.audit.history(query));
  await recordQuestion(context, answeredHistory(query, answer.position), query.next !== null);
  context.body = answer;
}

/** Answers with facts, or with intervals in which somebody could see something: `kind` says which. */
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

const askLinks = route({
  method: "GET",
  path: "/api/audit/links",
  access: "auditor",
  query: linksQuestion,
  handle,
  description: {
    tag: "Audit",
    summary: "List the links between a document and a person, and who made each",
    description:
      "Of a document and a person: every grant, nesting and membership on the ways between them, all of them and not the shortest alone; where there is no way, what leads from the document to groups, and from groups to the person. Of a document alone: the links to whom it names and to the groups in these, with the number of people in each. Of a person alone: the links to their groups and to those above, with the number of documents that grant each something. Few people or documents are listed with that; of many the number alone. Of a group: a link for each of its people, or for each such document.",
    success: {
      description: "Links. Each `from` is nearer to the document than its `to`.",
      schema: linksAnswer,
      example: {
        items: [
          {
            link: "grant",
            from: { kind: "document", name: "handbook/travel-2024.md" },
            to: { kind: "person", name: "ada@example.org" },
            ...grant,
            fact: "handbook/travel-2024.md grants ada@example.org",
          },
        ],
        total: 1,
        ...asOf,
      },
    },
    failures,
  },
});

const askChanges = route({
  method: "GET",
  path: "/api/audit/changes",
  access: "auditor",
  query: changesQuestion,
  handle,
  description: {
    tag: "Audit",
    summary: "Tell when something changed between a document and a person",
    description:
      "The newest first: what happened to every link that ever lay on a way from the document to the person. Between two of these it stays the same whether the person sees it. Of one alone, what happened to it and to the groups that it leads to.",
    success: { description: "Facts.", schema: changesAnswer, example: { items: [grant, fact], ...asOf } },
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

/** Questions about more than one person or document (docs/design/audit.md). */
export const auditHistoryRoutes = [askWho, askWhat, askHistory, askLinks, askChanges, askExposure];
