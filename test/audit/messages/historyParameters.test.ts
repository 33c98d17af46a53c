import { expect } from "chai";
import { formatPageToken, parsePageToken } from "../../../src/shared/pageToken.js";
import { toPosition } from "../../../src/shared/position.js";
import {
  exposureQuestion,
  historyQuestion,
  whatQuestion,
  whoQuestion,
} from "../../../src/audit/messages/historyParameters.js";
import { parseQueryString } from "../../../src/http/validation/parameters.js";

type Check = typeof whoQuestion.check;

function asked(check: Check, text: string): unknown {
  const parameters = parseQueryString(text);
  const checked = parameters.ok ? check(parameters.value) : parameters;
  return checked.ok ? checked.value.question : checked.error.map(({ loc, type }) => `${loc.join(".")} ${type}`);
}

const plan = { datasource: "wiki", documentId: "plan" };

describe("the parameters of questions about more than one person or document", () => {
  it("name what is asked", () => {
    expect(asked(whoQuestion.check, "document=wiki/plan")).to.deep.equal({ kind: "who", ...plan });
    expect(asked(whatQuestion.check, "user=Ada@Example.org")).to.deep.equal({ kind: "what", user: "ada@example.org" });
    expect(asked(historyQuestion.check, "document=wiki/plan")).to.deep.equal({ kind: "documentTimeline", ...plan });
    expect(asked(historyQuestion.check, "user=a@b.c&effective=false")).to.deep.equal({
      kind: "userTimeline",
      user: "a@b.c",
    });
    expect(asked(historyQuestion.check, "group=wiki/a/b")).to.deep.equal({
      kind: "groupTimeline",
      datasource: "wiki",
      group: "a/b",
    });
    expect(asked(historyQuestion.check, "user=a@b.c&effective=true")).to.deep.equal({
      kind: "effective",
      document: null,
      user: "a@b.c",
    });
    expect(asked(exposureQuestion.check, "event=12")).to.deep.equal({ kind: "exposureOfEvent", event: 12 });
    expect(asked(exposureQuestion.check, "document=wiki/plan&grant=group:staff")).to.deep.equal({
      kind: "exposureOfGrant",
      ...plan,
      target: { kind: "group", name: "staff" },
    });
    expect(asked(exposureQuestion.check, "document=wiki/plan&grant=user:A@b.c")).to.deep.equal({
      kind: "exposureOfGrant",
      ...plan,
      target: { kind: "user", email: "a@b.c" },
    });
  });

  it("take a page size and the token of the next page", () => {
    for (const [time, list] of [
      [1_700_000_000_000, 0],
      [-1, 1],
      [null, 0],
    ] as const) {
      const next = { position: toPosition(99), offset: 40, time, list };
      const parameters = parseQueryString(`document=wiki/plan&count=7&next=${formatPageToken(next)}`);
      const checked = parameters.ok ? whoQuestion.check(parameters.value) : parameters;
      expect(checked.ok && [checked.value.count, checked.value.next]).to.deep.equal([7, next]);
    }
    for (const text of ["", "n1-", "n1-1", "p1-1", "n1-Z-1", "n1-1-1", "n1-1-1-~", "n1-1-1-1-0", "n1-1-1-1-1-1"])
      expect(parsePageToken(text), text).to.equal(null);
  });

  it("are refused where they name nothing, or too much", () => {
    expect(asked(whoQuestion.check, "")).to.deep.equal(["query.document missing"]);
    expect(asked(whoQuestion.check, "document=wiki/plan&count=0&next=x&user=a")).to.deep.equal([
      "query.user extra_forbidden",
      "query.count greater_than_equal",
      "query.next value_error",
    ]);
    for (const text of ["", "document=wiki/plan&user=a@b.c", "effective=true", "group=wiki/staff&effective=true"])
      expect(asked(historyQuestion.check, text), text).to.include("query value_error");
    expect(asked(historyQuestion.check, "document=wiki/plan&effective=perhaps")).to.deep.equal([
      "query.effective bool_parsing",
    ]);
    expect(asked(historyQuestion.check, "group=staff")).to.deep.equal(["query.group value_error"]);
    expect(asked(exposureQuestion.check, "")).to.deep.equal(["query value_error"]);
    expect(asked(exposureQuestion.check, "event=1&grant=anonymous")).to.deep.equal(["query value_error"]);
    expect(asked(exposureQuestion.check, "event=one")).to.deep.equal(["query.event value_error"]);
    expect(asked(exposureQuestion.check, "document=wiki/plan&grant=staff")).to.deep.equal(["query.grant value_error"]);
  });
});
