import { failed, ok } from "../shared/result.js";
import { isLongerThan } from "./characters.js";
import { echo, issue, missing, patternMismatch, tooLong, tooShort, type Issue } from "./issue.js";
import type { QueryString } from "./queryString.js";
import type { Checked } from "./requestBodies.js";

export interface TextRule {
  readonly pattern?: string;
  readonly maxLength: number;
}

/** The rules of path and query parameters, by the kind of thing they name; the same as in bodies. */
export const textRules = {
  slug: { pattern: "^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*$", maxLength: 64 },
  documentId: { pattern: "^(?!\\.$)(?!.*\\.\\.)[A-Za-z0-9._-]+$", maxLength: 200 },
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

export interface MetadataParameters {
  readonly documentId: string;
  readonly includeTextContent: boolean;
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

/** Checks the parameters of `GET /api/beta/document/metadata`. */
export function checkMetadataParameters(parameters: QueryString): Checked<MetadataParameters> {
  const issues: Issue[] = [];
  const documentId = parameters.get("document_id")?.at(-1);
  if (documentId === undefined) issues.push(missing(["query", "document_id"]));
  else if (documentId === "") issues.push(tooShort(["query", "document_id"], 1));
  const includeTextContent = flagIn(parameters, "include_text_content", issues);
  return issues.length > 0 ? failed(issues) : ok({ documentId: documentId ?? "", includeTextContent });
}

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
