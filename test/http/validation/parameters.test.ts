import { expect } from "chai";
import * as fc from "fast-check";
import {
  boundedText,
  choice,
  choiceOr,
  emptyAsLeftOut,
  flag,
  integer,
  orElse,
  parseQueryString,
  present,
  queryOf,
  required,
  strictQueryOf,
  wordList,
} from "../../../src/http/validation/parameters.js";
import { ok } from "../../../src/shared/result.js";
import { propertyRuns } from "../../support/propertyRuns.js";

const declared = {
  size: integer("Items.", { minimum: 1, maximum: 50, default: 10 }),
  all: flag("Everything."),
  order: choiceOr("Order.", ["asc", "desc"] as const, "asc"),
  kind: choice("Kind.", ["a", "b"]),
  named: required(boundedText("Name.", 5)),
  typed: present(boundedText("What was typed.", 5)),
  words: wordList("Words.", ["x", "y"]),
  from: emptyAsLeftOut(orElse(boundedText("From.", 3), "now")),
};
const asked = queryOf(declared, ok);

function check(text: string, query = asked): unknown {
  const given = parseQueryString(text);
  const outcome = given.ok ? query.check(given.value) : given;
  return outcome.ok ? outcome.value : outcome.error.map(({ loc, type }) => `${loc.slice(1).join(".")} ${type}`);
}

describe("parameters of a query string", () => {
  it("are worth what they are by default, or what was given last", () => {
    const usual = { size: 10, all: false, order: "asc", kind: null, named: "n", typed: "", words: null, from: "now" };
    expect(check("named=n&typed=")).to.deep.equal(usual);
    expect(check("named=m&named=n&typed=&size=%2B3&all=YES&order=desc&kind=b&words=y,x&words=y&from=")).to.deep.equal({
      ...usual,
      ...{ size: 3, all: true, order: "desc", kind: "b", words: ["y", "x"] },
    });
  });

  it("tell everything that is wrong with them, in the order in which they are declared", () => {
    expect(check("words=z&kind=c&order=&all=perhaps&size=51&from=later")).to.deep.equal([
      "size less_than_equal",
      "all bool_parsing",
      "order enum",
      "kind enum",
      "named missing",
      "typed missing",
      "words enum",
      "from string_too_long",
    ]);
    expect(check("named=&typed=longer&size=1.5")).to.deep.equal([
      "size int_parsing",
      "named string_too_short",
      "typed string_too_long",
    ]);
  });

  it("pass over others, or refuse them", () => {
    expect(check("named=n&typed=&other=1")).to.include({ named: "n" });
    expect(check("named=n&typed=&other=1&all=no", strictQueryOf(declared, ok))).to.deep.equal([
      "other extra_forbidden",
    ]);
  });

  it("are described by what they are checked by", () => {
    const described = new Map(
      asked.parameters.map(({ name, required: isRequired, schema }) => [name, { isRequired, ...schema }]),
    );
    expect([...described.keys()]).to.deep.equal(Object.keys(declared));
    expect(described.get("size")).to.deep.equal({
      isRequired: false,
      type: "integer",
      minimum: 1,
      maximum: 50,
      default: 10,
    });
    expect(described.get("order")).to.deep.include({ enum: ["asc", "desc"], default: "asc" });
    expect(described.get("typed")).to.deep.equal({ isRequired: true, type: "string", maxLength: 5 });
  });

  it("take every whole number within the bounds, and no other", () => {
    fc.assert(
      fc.property(fc.integer({ min: -100, max: 100 }), (size) => {
        const outcome = check(`named=n&typed=&size=${size}`);
        if (size >= 1 && size <= 50) expect(outcome).to.include({ size });
        else expect(outcome).to.deep.equal([size < 1 ? "size greater_than_equal" : "size less_than_equal"]);
      }),
      propertyRuns(100),
    );
  });
});
