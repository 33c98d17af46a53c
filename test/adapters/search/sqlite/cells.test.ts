import { expect } from "chai";
import * as fc from "fast-check";
import { Cells, type Count } from "../../../../src/adapters/search/sqlite/cells.js";
import { propertyRuns } from "../../../support/propertyRuns.js";

describe("documents counted by who sees them", () => {
  const change = fc.record({
    accessClass: fc.nat(700),
    datasource: fc.nat(3),
    terms: fc.nat(600),
    /** How often: more than are kept is seldom, and has to be. */
    times: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.constant(70_000) }),
    isCounted: fc.boolean(),
    isCleared: fc.nat(20).map((n) => n === 0),
  });

  it("are as many when only changes are counted as when all are", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const cells = new Cells();
        const open = Uint8Array.from({ length: 701 }, (_, accessClass) => (accessClass % 3 === 0 ? 1 : 0));
        const served = Uint8Array.of(0, 1, 2);
        let held: { accessClass: number; datasource: number; terms: number }[] = [];
        let known: Count | null = null;
        for (const { times, isCounted, isCleared, ...document } of changes) {
          if (isCleared) {
            cells.clear();
            held = [];
          }
          for (let time = 0; time < times; time++) {
            cells.add(document.accessClass, document.datasource, document.terms);
            if (time < times - 1) cells.remove(document.accessClass, document.datasource, document.terms);
          }
          held.push(document);
          if (!isCounted) continue;
          known = cells.count(open, served, known);
          const seen = held.filter(
            ({ accessClass, datasource }) => accessClass % 3 === 0 && [1, 2].includes(datasource),
          );
          expect(known).to.include({
            documents: seen.length,
            terms: seen.reduce((sum, { terms }) => sum + terms, 0),
          });
          expect(cells.count(open, served, null)).to.deep.equal(known);
        }
      }),
      propertyRuns(100),
    );
  });
});
