import { expect } from "chai";
import { parseAccessRules, type AccessRules } from "../../../src/cli/import/accessRules.js";

function rules(text: string): AccessRules {
  const parsed = parseAccessRules(text);
  if (!parsed.ok) throw new Error(parsed.error.join("\n"));
  return parsed.value;
}

function problems(text: string): readonly string[] {
  const parsed = parseAccessRules(text);
  return parsed.ok ? [] : parsed.error;
}

const permissions = (anonymous: boolean, users: readonly string[] = [], groups: readonly string[] = []) => ({
  allow_anonymous_access: anonymous,
  allowed_users: users.map((email) => ({ email })),
  allowed_groups: groups,
});

describe("access rules", () => {
  it("let the first rule that fits decide", () => {
    const access = rules(`
rules:
  - match: "hr/public/**"
    anonymous: true
  - match: ["hr/**", "**/*.secret.md"]
    users: [" ada@example.com "]
    groups: [hr]
  - match: "**"
    groups: [staff]
`);
    expect(access.permissionsFor("hr/public/news.md")).to.deep.equal(permissions(true));
    expect(access.permissionsFor("hr/pay.md")).to.deep.equal(permissions(false, ["ada@example.com"], ["hr"]));
    expect(access.permissionsFor("plans/q3.secret.md")).to.deep.equal(permissions(false, ["ada@example.com"], ["hr"]));
    expect(access.permissionsFor("plans/q3.md")).to.deep.equal(permissions(false, [], ["staff"]));
  });

  it("say nothing where no rule fits, so that nobody sees the file", () => {
    const access = rules('rules: [{match: "hr/*.md", groups: [hr]}]');
    expect(
      ["readme.md", "hr/deep/pay.md", "HR/pay.md", "hr.md"].map((path) => access.permissionsFor(path)),
    ).to.deep.equal([null, null, null, null]);
  });

  it("fit hidden names and both Unicode forms of a name", () => {
    const access = rules('{"rules": [{"match": "b\u00fcro/**", "groups": ["office"]}]}');
    expect(access.permissionsFor("bu\u0308ro/.plan/a.md")).to.deep.equal(permissions(false, [], ["office"]));
  });

  it("can shut everybody out on purpose", () => {
    expect(rules('rules: [{match: "drafts/**", anonymous: false}]').permissionsFor("drafts/a.md")).to.deep.equal(
      permissions(false),
    );
  });

  it("tell which of them decided for nothing", () => {
    const access = rules(
      'rules: [{match: ["hr/**", "pay/**"], groups: [hr]}, {match: "typo/**", groups: [hr]}, {match: "**", anonymous: true}]',
    );
    access.permissionsFor("pay/june.md");
    access.permissionsFor("news.md");
    expect(access.unusedPatterns()).to.deep.equal(["typo/**"]);
  });
});

describe("access rules that are not valid", () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ["an empty file", "", ["The file: Expected `rules:` with a list of rules."]],
    ["a file without rules", "access: []", ["rules: Expected `rules:` with a list of rules."]],
    [
      "broken YAML, with its line",
      "rules:\n  - match: a\n    match: b\n    anonymous: true",
      ["Line 3: Map keys must be unique"],
    ],
    [
      "a mistyped key, which would leave a rule without its groups",
      'rules: [{match: "**", users: [], group: [hr]}]',
      ["rules[0].group: This key is not known. A rule has match, anonymous, users and groups."],
    ],
    ["a wrong type", 'rules: [{match: "**", groups: hr}]', ['rules[0].groups is "hr"; expected a list of texts.']],
    [
      "a missing pattern",
      "rules: [{anonymous: true}]",
      ["rules[0].match is missing; expected a pattern or a list of patterns."],
    ],
    [
      "a rule for nobody in particular",
      'rules: [{match: "**"}]',
      [
        "rules[0]: It does not say who may see the files. Add `anonymous`, `users` or `groups` (`anonymous: false` alone means nobody).",
      ],
    ],
    [
      "a negated pattern, which would fit all the rest",
      'rules: [{match: "!hr/**", anonymous: true}]',
      ["rules[0]: The pattern !hr/** negates. Put a rule for the exception before the general one instead."],
    ],
    [
      "an absolute pattern, which would fit nothing",
      'rules: [{match: "/hr/**", anonymous: true}]',
      ["rules[0]: The pattern /hr/** starts with a slash or a dot. Patterns are relative to the folder: write hr/**."],
    ],
    [
      "a person without an address",
      'rules: [{match: "**", users: [ada]}]',
      ['rules[0]: "ada" under `users` is not an email address.'],
    ],
    [
      "a group that cannot exist",
      'rules: [{match: "**", groups: ["human resources"]}]',
      ['rules[0]: "human resources" under `groups` cannot be a group: names are not empty and hold no whitespace.'],
    ],
  ];
  for (const [what, text, expected] of cases) {
    it(`name ${what}`, () => expect(problems(text)).to.deep.equal(expected));
  }
});
