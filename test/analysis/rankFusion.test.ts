import { expect } from "chai";
import * as fc from "fast-check";
import { fuseRankings, placesInBoth, withMeaning, worthInBoth } from "../../src/analysis/rankFusion.js";
import { propertyRuns } from "../support/propertyRuns.js";

const ranking = fc.uniqueArray(fc.nat(40), { maxLength: 30 });
const rankings = fc.array(ranking, { maxLength: 4 });

describe("the fusion of rankings", () => {
  it("holds what is in any of them, once", () => {
    fc.assert(
      fc.property(rankings, (given) => {
        const fused = fuseRankings(given);
        expect(fused).to.have.length(new Set(fused).size);
        expect(new Set(fused)).to.deep.equal(new Set(given.flat()));
      }),
      propertyRuns(300),
    );
  });

  it("changes nothing where there is one alone, or where all are the same", () => {
    fc.assert(
      fc.property(ranking, fc.integer({ min: 1, max: 4 }), (given, times) => {
        expect(fuseRankings(Array.from({ length: times }, () => given))).to.deep.equal(given);
      }),
      propertyRuns(100),
    );
  });

  it("puts what is before another in all of them before it", () => {
    fc.assert(
      fc.property(rankings, (given) => {
        const fused = fuseRankings(given);
        const places = given.map((each) => new Map(each.map((item, place) => [item, place])));
        fused.forEach((later, at) => {
          for (const earlier of fused.slice(0, at)) {
            const isBehind = (of: ReadonlyMap<number, number>): boolean =>
              (of.get(later) ?? Infinity) < (of.get(earlier) ?? Infinity);
            expect(places.length > 0 && places.every(isBehind)).to.equal(false);
          }
        });
      }),
      propertyRuns(200),
    );
  });

  it("puts what two have found before what one has found at the same places", () => {
    expect(
      fuseRankings([
        ["a", "both"],
        ["b", "both"],
      ]),
    ).to.deep.equal(["both", "a", "b"]);
  });

  it("goes on by words where meaning has nothing to say, each once", () => {
    fc.assert(
      fc.property(fc.nat(300), fc.uniqueArray(fc.nat(400), { maxLength: 50 }), (count, near) => {
        const byWords = Array.from({ length: count }, (_unused, n) => n);
        const order = withMeaning(byWords, near);
        expect(new Set(order)).to.deep.equal(new Set([...byWords, ...near]));
        expect(order).to.have.length(new Set(order).size);
        const rest = order.slice(new Set([...byWords.slice(0, 100), ...near]).size);
        expect(rest).to.deep.equal(byWords.slice(100).filter((n) => !near.includes(n)));
      }),
      propertyRuns(200),
    );
  });

  it("orders documents by what their places in both are worth, and then by words", () => {
    fc.assert(
      fc.property(fc.nat(300), fc.uniqueArray(fc.nat(400), { maxLength: 50 }), (count, near) => {
        const byWords = Array.from({ length: count }, (_unused, n) => n);
        const fused = withMeaning(byWords, near).map((item) => {
          const places = placesInBoth(item, byWords, near);
          return { byWords: places.byWords, worth: worthInBoth(places) };
        });
        const expected = fused.toSorted(
          (a, b) => b.worth - a.worth || (a.byWords ?? Infinity) - (b.byWords ?? Infinity),
        );
        expect(fused).to.deep.equal(expected);
      }),
      propertyRuns(200),
    );
  });
});
