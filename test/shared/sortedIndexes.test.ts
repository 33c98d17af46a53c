import { expect } from "chai";
import * as fc from "fast-check";
import {
  contains,
  difference,
  fromBytes,
  sameIndexes,
  sortedIndexes,
  toBytes,
  union,
  unionOf,
  withIndex,
  withoutIndex,
} from "../../src/shared/sortedIndexes.js";
import { propertyRuns } from "../support/propertyRuns.js";

const sets = fc.uniqueArray(fc.oneof(fc.nat(40), fc.nat(200_000)), { maxLength: 120 });
const sorted = (values: Iterable<number>): number[] => [...values].sort((a, b) => a - b);

describe("sorted indexes", () => {
  it("do what sets of numbers do", () => {
    const property = fc.property(sets, sets, sets, fc.nat(50), (a, b, c, one) => {
      const [A, B] = [sortedIndexes(a), sortedIndexes(b)];
      const has = new Set(b);
      expect([...A]).to.deep.equal(sorted(a));
      expect([...union(A, B)]).to.deep.equal(sorted(new Set([...a, ...b])));
      expect([...unionOf([A, B, sortedIndexes(c)])]).to.deep.equal(sorted(new Set([...a, ...b, ...c])));
      expect([...difference(A, B)]).to.deep.equal(sorted(a.filter((value) => !has.has(value))));
      expect([...withIndex(A, one)]).to.deep.equal(sorted(new Set([...a, one])));
      expect([...withoutIndex(A, one)]).to.deep.equal(sorted(a.filter((value) => value !== one)));
      expect(contains(A, one)).to.equal(a.includes(one));
      expect(sameIndexes(A, B)).to.equal(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
    });
    fc.assert(property, propertyRuns(500));
  });

  it("come back from bytes, wherever in a buffer they lie", () => {
    const property = fc.property(sets, fc.nat(7), (values, offset) => {
      const packed = toBytes(sortedIndexes(values));
      const shifted = Buffer.concat([Buffer.alloc(offset), packed]).subarray(offset);
      expect([...fromBytes(shifted)]).to.deep.equal(sorted(values));
    });
    fc.assert(property, propertyRuns(100));
  });
});
