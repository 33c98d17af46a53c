import picomatch from "picomatch";
import { LineCounter, parseDocument } from "yaml";
import { validateAccessRulesFile, type AccessRulesFile } from "./accessRulesFile.js";
import { toEmail, toGroupName } from "../../shared/ids.js";
import { holdsWhiteSpace } from "../../shared/texts.js";
import { failed, ok, type Result } from "../../shared/result.js";
import { isAddress } from "../../shared/ids.js";

/** The `permissions` block of a document (spec: Permissions block). */
export interface Permissions {
  readonly allow_anonymous_access: boolean;
  readonly allowed_users: readonly { readonly email: string }[];
  readonly allowed_groups: readonly string[];
}

/** Every registered user of the datasource. */
export const anonymousPermissions: Permissions = {
  allow_anonymous_access: true,
  allowed_users: [],
  allowed_groups: [],
};

/** Fails closed: what no rule speaks for, nobody sees. */
export const nobodyPermissions: Permissions = { allow_anonymous_access: false, allowed_users: [], allowed_groups: [] };

interface AccessRule {
  readonly patterns: readonly string[];
  matches(path: string): boolean;
  readonly permissions: Permissions;
}

/** The rules of who may see which file: the first one whose pattern fits its path decides. */
export class AccessRules {
  private readonly used = new Set<AccessRule>();

  constructor(private readonly rules: readonly AccessRule[]) {}

  /** null: no rule fits. `path` is relative to the imported folder, with `/`. */
  permissionsFor(path: string): Permissions | null {
    const rule = this.rules.find((candidate) => candidate.matches(path.normalize("NFC")));
    if (rule !== undefined) this.used.add(rule);
    return rule?.permissions ?? null;
  }

  /** Patterns of the rules that decided for no file so far: often a slip of the pen. */
  unusedPatterns(): readonly string[] {
    return this.rules.filter((rule) => !this.used.has(rule)).map((rule) => rule.patterns.join(", "));
  }
}

/** Reads access rules from YAML or JSON text; each problem is a sentence that says where it is. */
export function parseAccessRules(text: string): Result<AccessRules, readonly string[]> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    return failed(document.errors.map((error) => `Line ${lines.linePos(error.pos[0]).line}: ${error.message}`));
  }
  const file = validateAccessRulesFile(document.toJS({ maxAliasCount: 100 }));
  if (!file.ok) return file;
  const problems = file.value.rules.flatMap((rule, index) =>
    problemsOf(rule).map((problem) => `rules[${index}]: ${problem}`),
  );
  return problems.length > 0 ? failed(problems) : ok(new AccessRules(file.value.rules.map(compile)));
}

type RuleInFile = AccessRulesFile["rules"][number];

const patternsOf = ({ match }: RuleInFile): readonly string[] => (typeof match === "string" ? [match] : match);

const problemsOf = (rule: RuleInFile): readonly string[] => [
  ...problemsOfPatterns(patternsOf(rule)),
  ...(namesNobody(rule)
    ? [
        "It does not say who may see the files. Add `anonymous`, `users` or `groups` (`anonymous: false` alone means nobody).",
      ]
    : []),
  ...(rule.users ?? [])
    .filter((email) => !isAddress(email.trim()))
    .map((email) => `${JSON.stringify(email)} under \`users\` is not an email address.`),
  ...(rule.groups ?? [])
    .filter((group) => group === "" || holdsWhiteSpace(group))
    .map(
      (group) =>
        `${JSON.stringify(group)} under \`groups\` cannot be a group: names are not empty and hold no whitespace.`,
    ),
];

const namesNobody = ({ anonymous, users, groups }: RuleInFile): boolean =>
  anonymous === undefined && users === undefined && groups === undefined;

function problemsOfPatterns(patterns: readonly string[]): readonly string[] {
  if (patterns.length === 0 || patterns.includes(""))
    return ['`match` is empty. Name at least one pattern, for instance "**" for everything.'];
  return patterns.flatMap((pattern) => {
    if (pattern.startsWith("!"))
      return [`The pattern ${pattern} negates. Put a rule for the exception before the general one instead.`];
    if (!/^\.?\//.test(pattern)) return [];
    return [
      `The pattern ${pattern} starts with a slash or a dot. Patterns are relative to the folder: write ${pattern.replace(/^\.?\/+/, "")}.`,
    ];
  });
}

function compile(rule: RuleInFile): AccessRule {
  const patterns = patternsOf(rule);
  return {
    patterns,
    matches: picomatch(
      patterns.map((pattern) => pattern.normalize("NFC")),
      { dot: true, nonegate: true, strictSlashes: true },
    ),
    permissions: {
      allow_anonymous_access: rule.anonymous ?? false,
      allowed_users: (rule.users ?? []).map((email) => ({ email: toEmail(email) })),
      allowed_groups: (rule.groups ?? []).map(toGroupName),
    },
  };
}
