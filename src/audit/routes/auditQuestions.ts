import type { RecordedEvent } from "../../events/domainEvent.js";
import { auditQuestionStream } from "../../events/streams.js";
import { route } from "../../http/route.js";
import { toCredentialId } from "../../shared/ids.js";
import { askQuestions, questionsAnswer, type AnsweredQuestion } from "../messages/questions.js";
import { readPage } from "./eventPages.js";

function answeredIn({ event, position, metadata }: RecordedEvent): AnsweredQuestion[] {
  if (event.type !== "AuditQuestionAnswered") return [];
  const { question, about, asOf } = event.data;
  const { group, ...others } = about;
  const named = { ...others, ...(group !== undefined && { group: `${group.datasource}/${group.name}` }) };
  return [{ position: String(position), time: metadata.at, by: metadata.by, question, about: named, as_of: asOf }];
}

const listQuestions = route({
  method: "GET",
  path: "/api/audit/questions",
  access: "auditor",
  query: askQuestions,
  async handle(context, { query: { by, user, from, count } }) {
    const stream = by === null ? null : auditQuestionStream(toCredentialId(by));
    context.body = await readPage(context, { stream, category: "auditQuestion", from, count }, (event) =>
      answeredIn(event).filter(({ about }) => user === null || about.user === user),
    );
  },
  description: {
    tag: "Audit",
    summary: "List who asked what about other people",
    description:
      "Answers that were given to auditors, in the order of the log. Of searches only those as of a moment or as somebody else, and never what they looked for. Later pages of one answer count with the first.",
    success: {
      description: "Answers.",
      schema: questionsAnswer,
      example: {
        items: [
          {
            position: "1207",
            time: "2026-02-01T08:00:00.000Z",
            by: "9a41c7d0",
            question: "access",
            about: { user: "ada@example.org", document: "handbook/travel-2024.md" },
            as_of: "1204",
          },
        ],
      },
    },
  },
});

/** The audit of audits (ADR 29). */
export const auditQuestionRoutes = [listQuestions];
