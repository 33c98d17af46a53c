/** What of an issue it takes to say what is wrong. */
interface DescribedIssue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** What is wrong with parameters of a question, a sentence a line, whether they were checked here or there. */
export const describeIssues = (issues: readonly DescribedIssue[]): string => issues.map(describeIssue).join("\n");

function describeIssue({ loc, msg, type }: DescribedIssue): string {
  const said = type === "missing" ? "It is missing" : capitalised(msg.replace(/^Value error, /, ""));
  const [, name] = loc;
  return name === undefined ? `${said}.` : `${name}: ${said}.`;
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The issues of an answer that refuses a question for its parameters; null where it does not. */
export function issuesIn(answer: {
  readonly status: number;
  readonly body: unknown;
}): readonly DescribedIssue[] | null {
  const { detail } = (answer.body ?? {}) as { readonly detail?: unknown };
  return answer.status === 422 && Array.isArray(detail) ? (detail as readonly DescribedIssue[]) : null;
}
