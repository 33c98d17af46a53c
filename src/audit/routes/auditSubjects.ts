import { route } from "../../http/route.js";
import { askSubjects, subjectsAnswer, toSubjectsAnswer } from "../messages/subjects.js";

const findSubjects = route({
  method: "GET",
  path: "/api/audit/subjects",
  access: "auditor",
  query: askSubjects,
  async handle(context, { query }) {
    context.body = toSubjectsAnswer(await context.services.audit.subjects(query));
  },
  description: {
    tag: "Audit",
    summary: "Find documents, people and groups by parts of their names",
    description:
      "For fields that complete what is typed: documents by id and title, people by email and name, groups by name; also what was there once. The best first: names that begin so, words that do, then those that hold it. Names come from the permission history, which every engine has, as far as it has come; after 150 ms what was found by then is told, the newest looked at first. It says nothing of who may see what, and each key that is pressed asks it, so it is not recorded as the questions are that follow it.",
    success: {
      description: "What was found.",
      schema: subjectsAnswer,
      example: [
        {
          ...{ kind: "document", value: "handbook/travel-2024.md", label: "Travel expenses" },
          ...{ datasource: "handbook", present: true },
        },
      ],
    },
  },
});

/** What questions about access can be about. */
export const auditSubjectRoutes = [findSubjects];
