import { expect } from "chai";
import * as fc from "fast-check";
import { createValidate, type IValidation, type tags } from "typia";
import { toFinding, type Finding } from "../../../src/http/validation/findings.js";
import type { MaxCharacters } from "../../../src/http/validation/characters.js";
import { propertyRuns } from "../../support/propertyRuns.js";

interface Tagged {
  text: string;
  short: string & MaxCharacters<3>;
  filled: string & tags.MinLength<2>;
  slug: string & tags.Pattern<"^[a-z]+$">;
  flag: boolean;
  word: "a" | "b";
  number: number;
  low: number & tags.Minimum<-1.5>;
  high: number & tags.Maximum<7>;
  int: number & tags.Type<"int32">;
  uint: number & tags.Type<"uint32">;
  bounded: number & tags.Type<"uint32"> & tags.Minimum<2> & tags.Maximum<9>;
  some: string[] & tags.MinItems<1>;
  few: number[] & tags.MaxItems<2>;
  inner: { deep: { name: string }[] };
  "odd key": string;
  none: string | null;
}

const right: Tagged = {
  ...{ text: "", short: "abc", filled: "ab", slug: "a", flag: true, word: "a", number: 0, low: 0, high: 0 },
  ...{ int: 0, uint: 0, bounded: 2, some: [""], few: [], inner: { deep: [{ name: "" }] }, "odd key": "", none: null },
};

const validate: (input: unknown) => IValidation<Tagged> = createValidate<Tagged>();

/** What is found wrong where one field has another value. */
function found(field: keyof Tagged, value: unknown): Omit<Finding, "value"> | null {
  const outcome = validate({ ...right, [field]: value });
  if (outcome.success) return null;
  expect(outcome.errors).to.have.length(1);
  const { value: told, ...finding } = toFinding(outcome.errors[0] as IValidation.IError);
  expect(told).to.deep.equal(value);
  return finding;
}

const other = (types: readonly string[]): fc.Arbitrary<unknown> =>
  fc
    .oneof(fc.string(), fc.boolean(), fc.double({ noNaN: true }), fc.constant(null), fc.constant({}), fc.constant([]))
    .filter((value) => !types.includes(value === null ? "null" : Array.isArray(value) ? "array" : typeof value));

/** Values that break one rule of a field, and what is found then. */
const broken: readonly (readonly [
  field: keyof Tagged,
  values: fc.Arbitrary<unknown>,
  rule: Finding["rule"],
  argument?: unknown,
])[] = [
  ["text", fc.constant(undefined), "missing"],
  ["text", other(["string"]), "string"],
  ["none", other(["string", "null"]), "string"],
  ["odd key", other(["string"]), "string"],
  ["short", fc.string({ unit: "grapheme", minLength: 4 }), "maxLength", 3],
  ["short", other(["string"]), "string"],
  ["filled", fc.string({ maxLength: 1 }), "minLength", 2],
  ["slug", fc.string().filter((text) => !/^[a-z]+$/.test(text)), "pattern", "^[a-z]+$"],
  ["flag", other(["boolean"]), "boolean"],
  ["word", fc.string().filter((text) => text !== "a" && text !== "b"), "oneOf", ["a", "b"]],
  ["number", other(["number"]), "number"],
  ["number", fc.constantFrom(Infinity, -Infinity, NaN), "finite"],
  ["low", fc.double({ max: -1.6, noNaN: true, noDefaultInfinity: true }), "minimum", -1.5],
  ["high", fc.double({ min: 7.1, noNaN: true, noDefaultInfinity: true }), "maximum", 7],
  ["int", other(["number"]), "integer"],
  ["int", fc.double({ noInteger: true, noNaN: true }), "fraction"],
  ["int", fc.integer({ min: 2 ** 31, max: 2 ** 40 }), "maximum", 2 ** 31 - 1],
  ["int", fc.integer({ min: -(2 ** 40), max: -(2 ** 31) - 1 }), "minimum", -(2 ** 31)],
  ["uint", fc.integer({ max: -1 }), "minimum", 0],
  ["bounded", fc.integer({ min: 0, max: 1 }), "minimum", 2],
  ["bounded", fc.integer({ min: 10, max: 2 ** 32 - 1 }), "maximum", 9],
  ["some", fc.constant([]), "minItems", 1],
  ["some", other(["array"]), "list"],
  ["few", fc.array(fc.integer(), { minLength: 3 }), "maxItems", 2],
  ["inner", other(["object", "array"]), "object"],
];

describe("what typia finds", () => {
  it("is nothing where nothing is wrong", () => {
    expect(validate(right).success).to.equal(true);
  });

  for (const [field, values, rule, argument] of broken)
    it(`is told as a rule: ${rule} of ${field}`, () => {
      fc.assert(
        fc.property(values, (value) => {
          const expected = { path: [field], rule, ...(argument !== undefined && { argument }) };
          expect(found(field, value)).to.deep.equal(expected);
        }),
        propertyRuns(50),
      );
    });

  it("is told at its place", () => {
    const outcome = validate({ ...right, inner: { deep: [{ name: "" }, { name: 1 }] } });
    const [error] = outcome.success ? [] : outcome.errors;
    expect(toFinding(error as IValidation.IError)).to.deep.equal({
      ...{ path: ["inner", "deep", 1, "name"], rule: "string", value: 1 },
    });
  });
});
