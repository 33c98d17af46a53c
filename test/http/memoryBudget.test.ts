import { expect } from "chai";
import * as fc from "fast-check";
import { MemoryBudget } from "../../src/http/body/memoryBudget.js";
import { propertyRuns } from "../support/propertyRuns.js";

const total = 20;
const largest = 10;

/** A body that comes in pieces; after some of them its client may go away. */
const body = fc.record({
  pieces: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }),
  leavesAfter: fc.option(fc.integer({ min: 0, max: 3 })),
});

describe("the memory budget of large bodies", () => {
  it("is never exceeded, and lets every body come to its end, however they wait for each other", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(body, { maxLength: 20 }), fc.scheduler(), async (bodies, scheduler) => {
        const budget = new MemoryBudget(total, largest);
        let held = 0;
        const arrive = async ({ pieces, leavesAfter }: (typeof bodies)[number]): Promise<void> => {
          const reservation = budget.reservation();
          let mine = 0;
          for (const [index, bytes] of pieces.entries()) {
            if (mine + bytes > largest) break;
            if (index === leavesAfter) {
              // It goes away while it waits.
              void reservation.grow(bytes);
              break;
            }
            await reservation.grow(bytes);
            mine += bytes;
            held += bytes;
            expect(held).to.be.at.most(total);
            await scheduler.schedule(Promise.resolve());
          }
          held -= mine;
          reservation.release();
          reservation.release();
        };
        let ended = 0;
        for (const each of bodies) void arrive(each).then(() => ended++);
        await new Promise(setImmediate);
        while (scheduler.count() > 0) {
          await scheduler.waitOne();
          await new Promise(setImmediate);
        }
        expect(ended).to.equal(bodies.length);
      }),
      propertyRuns(200),
    );
  });

  it("is asked in order, and no longer by those who went away", async () => {
    const budget = new MemoryBudget(total, largest);
    const granted: string[] = [];
    const ask = (name: string, bytes: number) => {
      const reservation = budget.reservation();
      void reservation.grow(bytes).then(() => granted.push(name));
      return reservation;
    };
    const [first, second, third] = [ask("first", 10), ask("second", 10), ask("third", 10)];
    const fourth = ask("fourth", 10);
    await new Promise(setImmediate);
    expect(granted).to.deep.equal(["first", "second"]);
    third.release();
    second.release();
    await new Promise(setImmediate);
    expect(granted).to.deep.equal(["first", "second", "fourth"]);
    first.release();
    fourth.release();
  });
});
