import type { ApiAnswer } from "./apiClient.js";

/** What of an issue it takes to say what is wrong. */
interface DescribedIssue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** What is wrong with a request, a sentence a line. */
export const describeIssues = (issues: readonly DescribedIssue[]): string => issues.map(describeIssue).join("\n");

function describeIssue({ loc: [, ...field], msg, type }: DescribedIssue): string {
  const said = type === "missing" ? "It is missing" : capitalised(msg.replace(/^Value error, /, ""));
  return field.length === 0 ? `${said}.` : `${field.join(".")}: ${said}.`;
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The issues of an answer that refuses a request for what it holds; null where it does not. */
export function issuesIn(answer: Pick<ApiAnswer, "status" | "body">): readonly DescribedIssue[] | null {
  const { detail } = (answer.body ?? {}) as { readonly detail?: unknown };
  return answer.status === 422 && Array.isArray(detail) ? (detail as readonly DescribedIssue[]) : null;
}
