import { expect } from "chai";
import * as fc from "fast-check";
import { SurfaceTable } from "../../src/analysis/surfaceTable.js";
import { hashOf } from "../../src/analysis/tokenHash.js";
import { propertyRuns } from "../support/propertyRuns.js";

describe("the table of surfaces", () => {
  it("finds what a map of the cut out tokens would", () => {
    const token = fc.string({ unit: fc.constantFrom("a", "b", "ä", "😀"), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.uniqueArray(token, { maxLength: 64 }),
        fc.array(token, { maxLength: 40 }),
        fc.string(),
        (known, sought, before) => {
          const table = new SurfaceTable<number>(64);
          known.forEach((one, index) => table.add(one, index));
          const map = new Map(known.map((one, index) => [one, index]));
          expect(table.size).to.equal(map.size);
          for (const one of [...known, ...sought]) {
            const hash = hashOf(one, 0, one.length);
            expect(table.find(`${before}${one}tail`, before.length, before.length + one.length, hash), one).to.equal(
              map.get(one),
            );
          }
        },
      ),
      propertyRuns(200),
    );
  });
});
