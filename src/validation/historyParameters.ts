import type { AskHistory, GrantTarget, HistoryQuestion } from "../audit/historyQuestions.js";
import { toDatasourceName, toDocumentId, toEmail } from "../shared/ids.js";
import { parsePageToken, type PageToken } from "../shared/pageToken.js";
import { AuditParameters } from "./auditParameters.js";
import { echo, notInEnum, valueError } from "./issue.js";
import { textIssue, textRules } from "./parameters.js";
import type { QueryString } from "./queryString.js";
import type { Checked } from "./requestBodies.js";
import { checkInteger } from "./searchParameters.js";

/** Items on one page of an answer about the past. */
export const historyPageSizes = { minimum: 1, maximum: 1_000, otherwise: 100 } as const;
const largestPosition = Number.MAX_SAFE_INTEGER;
const pages = ["at", "count", "next"] as const;

/** The parameters of questions about more than one person or document, taken one by one. */
export class HistoryParameters extends AuditParameters {
  has(name: string): boolean {
    return this.parameters.has(name);
  }

  /** A group as `{datasource}/{name}`; its name may hold slashes of its own. */
  group(name: string): { readonly datasource: ReturnType<typeof toDatasourceName>; readonly group: string } {
    const text = this.required(name) ?? "";
    const slash = text.indexOf("/");
    const [datasource, group] = slash === -1 ? [text, ""] : [text.slice(0, slash), text.slice(slash + 1)];
    if (
      text !== "" &&
      (group === "" ||
        textIssue([], datasource, textRules.slug) !== null ||
        textIssue([], group, textRules.groupName) !== null)
    ) {
      this.issues.push({
        ...valueError(["query", name], "a group is written as {datasource}/{name}, such as handbook/staff"),
        ...echo(text),
      });
    }
    return { datasource: toDatasourceName(datasource), group };
  }

  flag(name: string): boolean {
    const text = this.parameters.get(name)?.at(-1) ?? "false";
    if (text !== "true" && text !== "false")
      this.issues.push({ ...notInEnum(["query", name], ["true", "false"]), ...echo(text) });
    return text === "true";
  }

  /** The position of an event, in decimal digits. */
  event(name: string): number {
    const text = this.required(name);
    const position = /^\d{1,16}$/.test(text ?? "") ? Number(text) : Number.NaN;
    if (text === undefined || position <= largestPosition) return position;
    this.issues.push({
      ...valueError(["query", name], "an event is named by its position, a whole number"),
      ...echo(text),
    });
    return position;
  }

  /** Whom a grant is for: `anonymous`, `user:{email}` or `group:{name}`. */
  target(name: string): GrantTarget {
    const text = this.required(name) ?? "";
    const [, kind, who = ""] = /^(user|group):(\S+)$/.exec(text) ?? [];
    if (kind === "user") return { kind, email: toEmail(who) };
    if (kind === "group") return { kind, name: who };
    if (text !== "" && text !== "anonymous")
      this.issues.push({
        ...valueError(["query", name], "a grant is for anonymous, user:{email} or group:{name}"),
        ...echo(text),
      });
    return { kind: "anonymous" };
  }

  /** The question's moment and page; `required` besides has to be there. */
  asked(question: HistoryQuestion): Checked<AskHistory> {
    const count = this.count();
    return this.checked({ question, at: this.moment("at"), next: this.page("next"), count });
  }

  /** Items on a page. */
  count(): number {
    return checkInteger(this.parameters, "count", historyPageSizes, this.issues);
  }

  /** Where the page before ended; null for the first. */
  page(name: string): PageToken | null {
    const text = this.parameters.get(name)?.at(-1);
    if (text === undefined) return null;
    const token = parsePageToken(text);
    if (token === null)
      this.issues.push({
        ...valueError(["query", name], "the value must be the `next` of an answer to the same question"),
        ...echo(text),
      });
    return token;
  }

  refuse(error: string): void {
    this.issues.push(valueError(["query"], error));
  }
}

/** Checks the parameters of `GET /api/audit/who`. */
export function checkWhoQuestion(parameters: QueryString): Checked<AskHistory> {
  const given = new HistoryParameters(parameters, ["document", ...pages]);
  return given.asked({ kind: "who", ...given.document("document") });
}

/** Checks the parameters of `GET /api/audit/what`. */
export function checkWhatQuestion(parameters: QueryString): Checked<AskHistory> {
  const given = new HistoryParameters(parameters, ["user", ...pages]);
  return given.asked({ kind: "what", user: given.user("user") });
}

/**
 * Checks the parameters of `GET /api/audit/history`: one of document, user and group; with `effective` document, user
 * or both.
 */
export function checkHistoryQuestion(parameters: QueryString): Checked<AskHistory> {
  const given = new HistoryParameters(parameters, ["document", "user", "group", "effective", ...pages]);
  return given.asked(given.flag("effective") ? effectiveQuestion(given) : timelineQuestion(given));
}

/** Checks the parameters of `GET /api/audit/exposure`: an event, or a document and whom it was granted to. */
export function checkExposureQuestion(parameters: QueryString): Checked<AskHistory> {
  const given = new HistoryParameters(parameters, ["event", "document", "grant", ...pages]);
  const isOfGrant = given.has("document") || given.has("grant");
  if (given.has("event") === isOfGrant)
    given.refuse(`name an event, or a document and a grant${isOfGrant ? ", not both" : ""}`);
  if (!given.has("event"))
    return given.asked({
      kind: "exposureOfGrant",
      ...(isOfGrant ? given.document("document") : nothing),
      target: isOfGrant ? given.target("grant") : { kind: "anonymous" },
    });
  return given.asked({ kind: "exposureOfEvent", event: given.event("event") });
}

/** In a question that is refused. */
const nothing = { datasource: toDatasourceName(""), documentId: toDocumentId("") };

function timelineQuestion(given: HistoryParameters): HistoryQuestion {
  if (["document", "user", "group"].filter((name) => given.has(name)).length !== 1)
    given.refuse("name one of document, user and group");
  if (given.has("group")) return { kind: "groupTimeline", ...given.group("group") };
  if (given.has("user")) return { kind: "userTimeline", user: given.user("user") };
  return { kind: "documentTimeline", ...(given.has("document") ? given.document("document") : nothing) };
}

function effectiveQuestion(given: HistoryParameters): HistoryQuestion {
  if (given.has("group") || !(given.has("document") || given.has("user")))
    given.refuse("with effective, name a document, a user, or both");
  const document = given.has("document") ? given.document("document") : null;
  return { kind: "effective", document, user: given.has("user") ? given.user("user") : null };
}
