import { expect } from "chai";
import { exposureQuestion, historyQuestion } from "../../../src/audit/messages/historyParameters.js";
import { parseAccessRules } from "../../../src/cli/import/accessRules.js";

describe("names that are written in another form of Unicode", () => {
  const [composed, apart] = ["caf\u00e9", "cafe\u0301"];

  it("are those of the service in questions about the past", () => {
    const group = historyQuestion.check(new Map([["group", [`handbook/${apart}`]]]));
    expect(group.ok && group.value.question).to.include({ group: composed });
    const grant = new Map([
      ["document", ["handbook/travel"]],
      ["grant", [`group:${apart}`]],
    ]);
    const exposure = exposureQuestion.check(grant);
    expect(exposure.ok && exposure.value.question).to.deep.include({ target: { kind: "group", name: composed } });
  });

  it("are those of the service in access rules, whose white space is Unicode's", () => {
    const rules = parseAccessRules(
      `rules:\n  - match: "**"\n    users: ["${apart}@Example.org"]\n    groups: ["${apart}"]\n`,
    );
    expect(rules.ok && rules.value.permissionsFor("a.md")).to.deep.include({
      allowed_users: [{ email: `${composed}@example.org` }],
      allowed_groups: [composed],
    });
    expect(parseAccessRules('rules:\n  - match: "**"\n    groups: ["a\\u0085b"]\n').ok).to.equal(false);
  });
});
