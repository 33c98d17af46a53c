import { expect } from "chai";
import * as fc from "fast-check";
import { MemoryBudget } from "../../src/http/body/memoryBudget.js";
import { propertyRuns } from "../support/propertyRuns.js";

describe("the memory budget of large bodies", () => {
  it("is never exceeded, lets everyone through in order, and takes back only once", async () => {
    const total = 10;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: total }), { minLength: 1, maxLength: 20 }),
        fc.scheduler(),
        async (sizes, scheduler) => {
          const budget = new MemoryBudget(total);
          const admitted: number[] = [];
          let held = 0;
          const use = async (bytes: number, index: number): Promise<void> => {
            const release = await budget.reserve(bytes);
            admitted.push(index);
            held += bytes;
            expect(held).to.be.at.most(total);
            await scheduler.schedule(Promise.resolve());
            held -= bytes;
            release();
            release();
          };
          await scheduler.waitFor(Promise.all(sizes.map(use)));
          expect(admitted).to.deep.equal(sizes.map((_, index) => index));
        },
      ),
      propertyRuns(100),
    );
  });
});
