import { json, type tags } from "typia";
import type { QueryParameters } from "../../http/route.js";
import { inQuery } from "../../http/validation/inQuery.js";
import { isLongerThan } from "../../http/validation/characters.js";
import { echo, notInEnum, tooLong } from "../../http/validation/issue.js";
import { answerMessage, type Checked } from "../../http/validation/message.js";
import { checkInteger } from "../../http/validation/parameters.js";
import type { FoundSubject, SubjectKind, SubjectSearch } from "../ports/subjects.js";
import { AuditParameters } from "./auditParameters.js";

const kinds: readonly SubjectKind[] = ["document", "person", "group"];
const sizes = { minimum: 1, maximum: 50, otherwise: 10 } as const;
const longestQuery = 200;

/** What a question about access can be about, as it is written in one. */
export interface SubjectAnswer {
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

export const subjectsAnswer = answerMessage(json.schema<SubjectAnswer[]>());

/** The best first, as it leaves the service. */
export const toSubjectsAnswer = (found: readonly FoundSubject[]): SubjectAnswer[] =>
  found.map((subject) => ({ ...subject }));

/** The parameters of `GET /api/audit/subjects`. */
export const askSubjects: QueryParameters<SubjectSearch> = {
  parameters: [
    inQuery(
      "query",
      "Parts of names, with spaces between: all have to occur, in any case.",
      {
        type: "string",
        minLength: 1,
        maxLength: longestQuery,
      },
      true,
    ),
    inQuery("kind", "Only subjects of this kind. Left out: of any.", { enum: [...kinds] }),
    inQuery("count", "Subjects, at most.", {
      type: "integer",
      ...{ minimum: sizes.minimum, maximum: sizes.maximum, default: sizes.otherwise },
    }),
  ],
  check: (parameters) => new SubjectParameters(parameters, ["query", "kind", "count"]).search(),
};

class SubjectParameters extends AuditParameters {
  search(): Checked<SubjectSearch> {
    const words = this.words();
    const count = checkInteger(this.parameters, "count", sizes, this.issues);
    return this.checked({ words, kinds: this.kinds(), count });
  }

  private words(): readonly string[] {
    const text = this.required("query") ?? "";
    if (isLongerThan(text, longestQuery)) this.issues.push(tooLong(["query", "query"], longestQuery));
    return text.split(/\s+/).filter((word) => word !== "");
  }

  private kinds(): readonly SubjectKind[] {
    const text = this.parameters.get("kind")?.at(-1);
    const kind = kinds.find((name) => name === text);
    if (text !== undefined && kind === undefined)
      this.issues.push({ ...notInEnum(["query", "kind"], kinds), ...echo(text) });
    return kind === undefined ? kinds : [kind];
  }
}
