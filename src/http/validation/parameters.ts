import { isLongerThan } from "./characters.js";
import { echo, issue, outOfBounds, patternMismatch, tooLong, type Issue } from "./issue.js";
import type { QueryString } from "./queryString.js";

export interface TextRule {
  readonly pattern?: string;
  readonly maxLength: number;
}

/** The rules of path and query parameters, by the kind of thing they name; the same as in bodies. */
export const textRules = {
  slug: { pattern: "^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*$", maxLength: 64 },
  documentId: { pattern: "^(\\.{0,2}[A-Za-z0-9_-][A-Za-z0-9._-]*|\\.{3}[A-Za-z0-9._-]*)$", maxLength: 200 },
  email: { maxLength: 254 },
  groupName: { maxLength: 128 },
} satisfies Record<string, TextRule>;

const patterns = new Map<string, RegExp>(
  Object.values(textRules).flatMap((rule: TextRule) =>
    rule.pattern === undefined ? [] : [[rule.pattern, new RegExp(rule.pattern)] as const],
  ),
);

/** What is wrong with a path parameter; null where nothing is. */
export function textIssue(loc: readonly string[], text: string, rule: TextRule): Issue | null {
  if (isLongerThan(text, rule.maxLength)) return { ...tooLong(loc, rule.maxLength), ...echo(text) };
  if (rule.pattern !== undefined && patterns.get(rule.pattern)?.test(text) !== true)
    return { ...patternMismatch(loc, rule.pattern), ...echo(text) };
  return null;
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["yes", true],
  ["on", true],
  ["false", false],
  ["0", false],
  ["no", false],
  ["off", false],
]);

/** A parameter that is true or false; false where it is left out. What is wrong with it joins the issues. */
export function flagIn(parameters: QueryString, name: string, issues: Issue[]): boolean {
  const text = parameters.get(name)?.at(-1) ?? "false";
  const flag = booleans.get(text.toLowerCase());
  if (flag !== undefined) return flag;
  issues.push({
    ...issue(["query", name], "bool_parsing", "Input should be a valid boolean, unable to interpret input"),
    ...echo(text),
  });
  return false;
}

interface IntegerRule {
  readonly minimum: number;
  readonly maximum: number;
  readonly otherwise: number;
}

/** A whole number; what is left out takes its default, what is wrong becomes an issue. */
export function checkInteger(parameters: QueryString, name: string, rule: IntegerRule, issues: Issue[]): number {
  const text = parameters.get(name)?.at(-1);
  if (text === undefined) return rule.otherwise;
  const loc = ["query", name];
  const value = /^[+-]?\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN;
  const found = Number.isNaN(value)
    ? issue(loc, "int_parsing", "Input should be a valid integer, unable to parse string as an integer")
    : outOfBounds(loc, value, rule);
  if (found !== null) issues.push({ ...found, ...echo(text) });
  return value;
}
