import { z } from "zod";
import { documentName } from "../../audit/historyQuestions.js";
import { accessQuestion } from "../../audit/messages/auditParameters.js";
import { whoQuestion } from "../../audit/messages/historyParameters.js";
import { answeredHistory, recordQuestion } from "../../audit/routes/recordQuestion.js";
import { checked, valueOf } from "../../http/envelopes.js";
import type { QueryString } from "../../http/validation/parameters.js";
import { readsHere, tool } from "./tool.js";

const document = z.string().min(1).describe("A document's id, as `search` returns it.");
const at = z.string().optional().describe("As of when: an ISO 8601 time, or the position of an event. Left out: now.");
const asOf = { at: z.string().nullable().describe("As of when."), position: z.string() };

/** The parameters of the route that asks the same. */
const inQuery = (asked: Readonly<Record<string, string | undefined>>): QueryString =>
  new Map(Object.entries(asked).flatMap(([name, text]) => (text === undefined ? [] : [[name, [text]]])));

/** The same as `GET /api/audit/access`. */
export const explainAccess = tool({
  name: "explain_access",
  title: "Explain access",
  description:
    "For auditors: whether a person may see a document, or could at a moment, and why: which facts make it so, or what is missing. That it was asked is recorded.",
  input: z.object({ user: z.string().min(1).describe("The person's login email."), document, at }),
  output: z.looseObject({ has_access: z.boolean(), ...asOf, explanation: z.array(z.unknown()) }),
  annotations: readsHere,
  async call(context, asked) {
    const question = checked(accessQuestion.check(inQuery(asked)));
    const answer = valueOf(await context.services.audit.access(question));
    const about = { user: question.user, document: documentName(question.datasource, question.documentId) };
    await recordQuestion(context, { question: "access", about, asOf: answer.position });
    return { ...answer };
  },
});

/** The same as `GET /api/audit/who`. */
export const whoCouldSee = tool({
  name: "who_could_see",
  title: "Who could see a document",
  description:
    "For auditors: everyone who may see a document, or could at a moment, each with what lets them see it. That it was asked is recorded.",
  input: z.object({
    document,
    at,
    next: z.string().optional().describe("The `next` of the page before. Left out: the first page."),
  }),
  output: z.looseObject({ ...asOf, items: z.array(z.unknown()) }),
  annotations: readsHere,
  async call(context, asked) {
    const question = checked(whoQuestion.check(inQuery(asked)));
    const answer = valueOf(await context.services.audit.history(question));
    await recordQuestion(context, answeredHistory(question, answer.position), question.next !== null);
    return { ...answer };
  },
});
