import { expect } from "chai";
import * as fc from "fast-check";
import {
  between,
  difference,
  intersection,
  intervalsOf,
  isSame,
  still,
  union,
  unionOf,
  type IntervalSet,
} from "../../../src/audit/visibility/intervalSet.js";
import { propertyRuns } from "../../support/propertyRuns.js";

const end = 24;
const positions = Array.from({ length: end }, (_, index) => index);
const bound = fc.oneof({ weight: 9, arbitrary: fc.nat(end - 1) }, { weight: 1, arbitrary: fc.constant(still) });
const anySet = fc.array(fc.tuple(fc.nat(end - 1), bound), { maxLength: 6 }).map(unionOf);

const holds = (set: IntervalSet, position: number): boolean =>
  [...intervalsOf(set)].some(([from, until]) => from <= position && position < until);
const members = (set: IntervalSet): readonly number[] =>
  [...positions, still - 1].filter((position) => holds(set, position));

describe("sets of intervals", () => {
  it("are joined, met and taken from each other position by position", () => {
    fc.assert(
      fc.property(anySet, anySet, (a, b) => {
        const [inA, inB] = [new Set(members(a)), new Set(members(b))];
        const expected = (condition: (position: number) => boolean): readonly number[] =>
          [...positions, still - 1].filter(condition);
        expect(members(union(a, b))).to.deep.equal(expected((position) => inA.has(position) || inB.has(position)));
        expect(members(intersection(a, b))).to.deep.equal(
          expected((position) => inA.has(position) && inB.has(position)),
        );
        expect(members(difference(a, b))).to.deep.equal(
          expected((position) => inA.has(position) && !inB.has(position)),
        );
      }),
      propertyRuns(1_000),
    );
  });

  it("have one form: ascending, and apart from each other", () => {
    fc.assert(
      fc.property(anySet, anySet, (a, b) => {
        for (const set of [a, b, union(a, b), intersection(a, b), difference(a, b)]) {
          expect(set.every((each, index) => index === 0 || (set[index - 1] as number) < each)).to.equal(true);
          expect(set.length % 2).to.equal(0);
        }
        expect(union(a, b)).to.deep.equal(union(b, a));
        expect(isSame(union(difference(a, b), intersection(a, b)), a)).to.equal(true);
      }),
      propertyRuns(1_000),
    );
  });

  it("hold nothing where they would end before they begin", () => {
    expect(between(3, 3)).to.deep.equal([]);
    expect(
      unionOf([
        [4, 2],
        [1, 3],
        [3, 5],
      ]),
    ).to.deep.equal([1, 5]);
  });
});
