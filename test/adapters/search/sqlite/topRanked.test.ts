import { expect } from "chai";
import * as fc from "fast-check";
import { topRanked } from "../../../../src/adapters/search/sqlite/topRanked.js";
import { propertyRuns } from "../../../support/propertyRuns.js";

describe("the top of a ranking", () => {
  it("is the start of the whole ranking, however much is asked for", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 200 }),
        fc.integer({ min: 1, max: 250 }),
        (scores, count) => {
          const bySlot = Float32Array.from(scores);
          const slots = Int32Array.from(scores.keys()).toReversed();
          const whole = [...scores.keys()].sort((a, b) => (scores[b] as number) - (scores[a] as number) || b - a);
          expect([...topRanked(slots, count, bySlot)]).to.deep.equal(whole.slice(0, count));
        },
      ),
      propertyRuns(500),
    );
  });
});
