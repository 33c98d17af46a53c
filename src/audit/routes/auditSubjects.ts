import { json, type tags } from "typia";
import { route } from "../../http/route.js";
import { isLongerThan } from "../../http/validation/characters.js";
import { tooLong } from "../../http/validation/issue.js";
import { answerMessage, type Checked } from "../../http/validation/message.js";
import { choice, integer, required, strictQueryOf, textParameter } from "../../http/validation/parameters.js";
import { ok } from "../../shared/result.js";
import type { FoundSubject, SubjectKind, SubjectSearch } from "../ports/permissionHistory.js";

const kinds: readonly SubjectKind[] = ["document", "person", "group"];
const longestQuery = 200;

/** What a question about access can be about, as it is written in one. */
interface SubjectAnswer {
  kind: "document" | "person" | "group";
  /** `{datasource}/{id}`, an email, or `{datasource}/{group}`. */
  value: string & tags.MinLength<1>;
  /** A title or a display name; an id where there is none. */
  label: string;
  /** null of people: they are the same everywhere. */
  datasource: string | null;
  /** False of what was there once, or is only named by access lists. */
  present: boolean;
}

const subjectsAnswer = answerMessage(json.schema<SubjectAnswer[]>());

/** The best first, as it leaves the service. */
const toSubjectsAnswer = (found: readonly FoundSubject[]): SubjectAnswer[] => found.map((subject) => ({ ...subject }));

/** The parameters of `GET /api/audit/subjects`. */
const askSubjects = strictQueryOf(
  {
    query: required(
      textParameter(
        "Parts of names, with spaces between: all have to occur, in any case.",
        (text, given) => {
          if (isLongerThan(text, longestQuery)) given.refuse((loc) => tooLong(loc, longestQuery));
          return text.split(/\s+/).filter((word) => word !== "");
        },
        { type: "string", minLength: 1, maxLength: longestQuery },
      ),
    ),
    kind: choice("Only subjects of this kind. Left out: of any.", kinds),
    count: integer("Subjects, at most.", { minimum: 1, maximum: 50, default: 10 }),
  },
  ({ query: words, kind, count }): Checked<SubjectSearch> =>
    ok({ words, kinds: kind === null ? kinds : [kind], count }),
);

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
