import type { ParameterDescription } from "../../http/route.js";
import { inQuery } from "../../http/validation/inQuery.js";
import type { AskHistory, GrantTarget, HistoryQuestion } from "../historyQuestions.js";
import { toDatasourceName, toDocumentId, toEmail, toGroupName } from "../../shared/ids.js";
import { parsePageToken, type PageToken } from "../../shared/pageToken.js";
import { AuditParameters, momentInQuery } from "./auditParameters.js";
import { echo, notInEnum, valueError } from "../../http/validation/issue.js";
import { checkInteger, textIssue, textRules } from "../../http/validation/parameters.js";
import type { Checked } from "../../http/validation/message.js";

/** Items on one page of an answer about the past. */
export const historyPageSizes = { minimum: 1, maximum: 1_000, otherwise: 100 } as const;
const largestPosition = Number.MAX_SAFE_INTEGER;
/** The names of the parameters that every such question has. */
export const pageNames = ["at", "count", "next"] as const;

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
    return { datasource: toDatasourceName(datasource), group: toGroupName(group) };
  }

  flag(name: string): boolean {
    const text = this.parameters.get(name)?.at(-1) ?? "false";
    if (text !== "true" && text !== "false")
      this.issues.push({ ...notInEnum(["query", name], ["true", "false"]), ...echo(text) });
    return text === "true";
  }

  /** One of a few words; the first where it is left out. */
  choice<Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word {
    const text = this.parameters.get(name)?.at(-1) ?? words[0];
    const chosen = words.find((word) => word === text);
    if (chosen === undefined) this.issues.push({ ...notInEnum(["query", name], words), ...echo(text) });
    return chosen ?? words[0];
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

  /** The person or group that a grant is for: `anonymous`, `user:{email}` or `group:{name}`. */
  target(name: string): GrantTarget {
    const text = this.required(name) ?? "";
    const [, kind, who = ""] = /^(user|group):(\S+)$/.exec(text) ?? [];
    if (kind === "user") return { kind, email: toEmail(who) };
    if (kind === "group") return { kind, name: toGroupName(who) };
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

const { minimum, maximum, otherwise } = historyPageSizes;
/** The parameters that every such question has. */
export const pageParameters: readonly ParameterDescription[] = [
  momentInQuery,
  inQuery(
    "count",
    "Items on a page, at most: one that takes long to fill ends early, even empty, and `next` goes on.",
    { type: "integer", minimum, maximum, default: otherwise },
  ),
  inQuery(
    "next",
    "The `next` of the page before: pages of one answer are all as of the same moment, whatever happens meanwhile.",
  ),
];

/** The document of a question that is refused. */
export const nothing = { datasource: toDatasourceName(""), documentId: toDocumentId("") };
