import { expect } from "chai";
import { toPosition } from "../../../src/shared/position.js";
import { accessQuestion } from "../../../src/audit/messages/auditParameters.js";
import { parseQueryString } from "../../../src/http/validation/parameters.js";

function check(text: string): ReturnType<typeof accessQuestion.check> {
  const parameters = parseQueryString(text);
  return parameters.ok ? accessQuestion.check(parameters.value) : parameters;
}

const issuesOf = (text: string): unknown => {
  const checked = check(text);
  return checked.ok ? [] : checked.error.map(({ loc, type }) => [loc.join("."), type]);
};

describe("the parameters of questions about the past", () => {
  it("are a person, a document and a moment", () => {
    const asked = { user: "ada@example.org", datasource: "wiki", documentId: "plan.md" };
    expect(check("user=%20Ada@Example.ORG&document=wiki/plan.md")).to.deep.equal({
      ok: true,
      value: { ...asked, at: { kind: "now" } },
    });
    expect(check("user=ada@example.org&document=wiki%2Fplan.md&at=2026-01-31T18:00:00.250%2B01:00")).to.deep.equal({
      ok: true,
      value: { ...asked, at: { kind: "time", time: Date.parse("2026-01-31T17:00:00.250Z") } },
    });
    for (const at of ["77"]) {
      expect(check(`user=ada@example.org&document=wiki/plan.md&at=${at}`), at).to.deep.equal({
        ok: true,
        value: { ...asked, at: { kind: "position", position: toPosition(77) } },
      });
    }
    for (const [document, documentId] of [
      ["wiki__plan.md", "plan.md"],
      ["wiki/a__b", "a__b"],
      ["wiki__a__b", "a__b"],
    ])
      expect(check(`user=ada@example.org&document=${document}`), document).to.deep.equal({
        ok: true,
        value: { ...asked, documentId, at: { kind: "now" } },
      });
    const printed = check("user=ada@example.org&document=wiki/plan.md&at=2026-01-31%2017:00:00.250%20UTC");
    expect(printed.ok && printed.value.at).to.deep.equal({
      kind: "time",
      time: Date.parse("2026-01-31T17:00:00.250Z"),
    });
  });

  it("are refused where they are missing, malformed or unknown", () => {
    expect(issuesOf("")).to.deep.equal([
      ["query.user", "missing"],
      ["query.document", "missing"],
    ]);
    expect(issuesOf("user=%20&document=")).to.deep.equal([
      ["query.user", "string_too_short"],
      ["query.document", "string_too_short"],
    ]);
    for (const document of ["wiki", "wiki/", "/plan", "Wiki/plan", "wiki/a/b", "wiki/..", "wiki/a%20b"]) {
      expect(issuesOf(`user=a@b.c&document=${document}`), document).to.deep.equal([["query.document", "value_error"]]);
    }
    for (const at of ["yesterday", "", "2026-02-30", `p2-${"A".repeat(22)}`, "p1-", "p1-A", "-12", "1e3"]) {
      expect(issuesOf(`user=a@b.c&document=wiki/plan&at=${at}`), at).to.deep.equal([["query.at", "value_error"]]);
    }
    expect(issuesOf(`user=${"x".repeat(255)}&document=wiki/plan&When=now`)).to.deep.equal([
      ["query.When", "extra_forbidden"],
      ["query.user", "string_too_long"],
    ]);
  });
});
