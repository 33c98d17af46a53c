import { createValidateEquals } from "typia";
import { failed, ok, type Result } from "../../shared/result.js";

/** The file of access rules that an import reads (`--acl`). The first rule that matches decides. */
export interface AccessRulesFile {
  readonly rules: readonly {
    /** Glob patterns over the path relative to the imported folder. */
    readonly match: string | readonly string[];
    readonly anonymous?: boolean;
    readonly users?: readonly string[];
    readonly groups?: readonly string[];
  }[];
}

const validate = createValidateEquals<AccessRulesFile>();

/** Unknown keys are errors here: a mistyped `group:` must not leave a rule without its groups unnoticed. */
export function validateAccessRulesFile(value: unknown): Result<AccessRulesFile, readonly string[]> {
  const result = validate(value);
  return result.success ? ok(result.data) : failed([...new Set(result.errors.map(sentence))]);
}

function sentence({
  path,
  expected,
  value,
}: {
  readonly path: string;
  readonly expected: string;
  readonly value?: unknown;
}): string {
  const where = path.replace(/^\$input\.?/, "") || "The file";
  if (expected === "undefined")
    return `${where}: This key is not known. A rule has match, anonymous, users and groups.`;
  if (where === "The file" || where === "rules") return `${where}: Expected \`rules:\` with a list of rules.`;
  const found = value === undefined ? "is missing" : `is ${JSON.stringify(value)}`;
  return `${where} ${found}; expected ${readable(expected)}.`;
}

const readable = (expected: string): string =>
  expected
    .replace("(ReadonlyArray<string> | string)", "a pattern or a list of patterns")
    .replace("(ReadonlyArray<string> | undefined)", "a list of texts")
    .replace("(boolean | undefined)", "true or false")
    .replace(/^string$/, "a text");
