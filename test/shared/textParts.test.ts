import { expect } from "chai";
import * as fc from "fast-check";
import { charactersPerPart, partsOf, partsWith, withinParts } from "../../src/shared/textParts.js";
import { propertyRuns } from "../support/propertyRuns.js";

const text = fc
  .array(fc.tuple(fc.constantFrom("x", "ä ", "😀", "a😀"), fc.integer({ min: 1, max: 120_000 })), { maxLength: 4 })
  .map((runs) => runs.map(([run, times]) => run.repeat(times)).join(""));

describe("the parts of a text", () => {
  it("are the whole text, each of whole characters, at multiples of their length", () => {
    fc.assert(
      fc.property(text, (whole) => {
        const parts = partsOf(whole);
        expect(parts.join("") === whole).to.equal(true);
        let start = 0;
        parts.forEach((part, index) => {
          expect(start).to.be.within(Math.max(0, index * charactersPerPart - 1), index * charactersPerPart);
          expect(/\p{Surrogate}/u.test(part)).to.equal(false);
          start += part.length;
        });
      }),
      propertyRuns(30),
    );
  });

  it("tell where a stretch of the text stands, to a character", () => {
    const whole = `${"😀".repeat(99_999)}x${"ä".repeat(150_000)} lighthouse`;
    for (const place of [
      { start: 5, end: 300 },
      { start: 99_990, end: 100_020 },
      { start: 199_999, end: 200_000 },
      { start: whole.length - 10, end: whole.length },
    ]) {
      const { first, last } = partsWith(place);
      const joined = partsOf(whole)
        .slice(first, last + 1)
        .join("");
      const { start, end } = withinParts(place, first, joined);
      const around = whole.slice(Math.max(0, place.start - 1), place.end + 1);
      expect(around).to.include(joined.slice(start, end));
    }
  });
});
