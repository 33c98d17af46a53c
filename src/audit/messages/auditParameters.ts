import type { ParameterDescription } from "../../http/route.js";
import { inQuery } from "../../http/validation/inQuery.js";
import type { DocumentReference, Moment } from "../auditQueries.js";
import { toDatasourceName, toDocumentId, toEmail, type Email } from "../../shared/ids.js";
import { epochMilliseconds } from "../../shared/instant.js";
import { toPosition } from "../../shared/position.js";
import { failed, ok } from "../../shared/result.js";
import { echo, issue, missing, tooShort, valueError, type Issue } from "../../http/validation/issue.js";
import { textIssue, textRules } from "../../http/validation/parameters.js";
import type { QueryString } from "../../http/validation/queryString.js";
import type { Checked } from "../../http/validation/message.js";

/** No date is written in digits alone. */
const wholeNumber = /^\d{1,18}$/;
/** The ending of times that were printed for people. */
const utcSuffix = / UTC$/;

/**
 * The parameters of a question about the past, taken one by one. What is wrong is gathered; a repeated one counts last.
 */
export class AuditParameters {
  protected readonly issues: Issue[] = [];

  constructor(
    protected readonly parameters: QueryString,
    known: readonly string[],
  ) {
    for (const name of parameters.keys()) {
      if (!known.includes(name))
        this.issues.push(
          issue(
            ["query", name],
            "extra_forbidden",
            `Extra inputs are not permitted: the parameters are ${known.join(", ")}`,
          ),
        );
    }
  }

  /** A login email, in any case. */
  user(name: string): Email {
    const text = this.required(name);
    const email = toEmail(text ?? "");
    if (text === undefined) return email;
    if (email === "") this.issues.push(tooShort(["query", name], 1));
    else this.note(textIssue(["query", name], text, textRules.email));
    return email;
  }

  /** A document as `{datasource}/{id}`, or as `{datasource}__{id}`, which is its id in search results. */
  document(name: string): DocumentReference {
    const text = this.required(name) ?? "";
    const [, datasource = text, documentId = ""] = /^(.*?)(?:\/|__)(.*)$/s.exec(text) ?? [];
    if (
      text !== "" &&
      (textIssue([], datasource, textRules.slug) !== null || textIssue([], documentId, textRules.documentId) !== null)
    ) {
      this.issues.push({
        ...valueError(
          ["query", name],
          "a document is written as {datasource}/{id} or {datasource}__{id}, such as handbook/travel-2024.md",
        ),
        ...echo(text),
      });
    }
    return { datasource: toDatasourceName(datasource), documentId: toDocumentId(documentId) };
  }

  /**
   * An ISO time or the position of an event, which is also what has become of a consistency token; now where it is left
   * out.
   */
  moment(name: string): Moment {
    const text = this.parameters.get(name)?.at(-1);
    if (text === undefined) return { kind: "now" };
    if (wholeNumber.test(text)) return { kind: "position", position: toPosition(BigInt(text)) };
    const time = epochMilliseconds(text.replace(utcSuffix, "Z"));
    if (time !== null) return { kind: "time", time };
    this.issues.push({
      ...valueError(
        ["query", name],
        "a moment is an ISO 8601 time, a consistency token of this service or the position of an event",
      ),
      ...echo(text),
    });
    return { kind: "now" };
  }

  /** The question, or everything that is wrong with it. */
  checked<Question>(question: Question): Checked<Question> {
    return this.issues.length > 0 ? failed(this.issues) : ok(question);
  }

  protected required(name: string): string | undefined {
    const text = this.parameters.get(name)?.at(-1);
    if (text === undefined) this.issues.push(missing(["query", name]));
    else if (text === "") this.issues.push(tooShort(["query", name], 1));
    return text === "" ? undefined : text;
  }

  private note(found: Issue | null): void {
    if (found !== null) this.issues.push(found);
  }
}

/** The moment that a question is about. */
export const momentInQuery = inQuery(
  "at",
  "An ISO 8601 time, a consistency token or the position of an event; left out: now.",
);
export const userInQuery = inQuery("user", "A login email; not case-sensitive.", { type: "string" }, true);
export const documentInQuery = inQuery(
  "document",
  "A document, as `{datasource}/{id}` or as `{datasource}__{id}`.",
  { type: "string" },
  true,
);

/** The same parameter, where others may stand for it. */
export const optional = (parameter: ParameterDescription): ParameterDescription => ({ ...parameter, required: false });
