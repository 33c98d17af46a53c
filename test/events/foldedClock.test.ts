import { expect } from "chai";
import * as fc from "fast-check";
import { FoldedClock, type ClockJump } from "../../src/events/foldedClock.js";
import { toPosition } from "../../src/shared/position.js";
import { naiveTimes } from "../support/naiveReplay.js";
import { propertyRuns } from "../support/propertyRuns.js";

const minute = 60_000;
const hour = 60 * minute;
const year = 365 * 24 * hour;
const now = Date.parse("2026-01-02T03:04:05.678Z");

/** What the clock shows at each event, in milliseconds from `now`. */
function shown(times: readonly (number | null)[], clock = new FoldedClock()): readonly number[] {
  return times.map((time) => clock.tick(time === null ? null : now + time).shows - now);
}

describe("the log's clock", () => {
  it("never runs backwards, whatever order events carry their times in", () => {
    expect(shown([0, 5, 3, null, 4, 7])).to.deep.equal([0, 5, 5, 5, 5, 7]);
  });

  it("stands still where a clock is behind, however far", () => {
    expect(shown([0, minute, -10 * year, -10 * year + 1, 2 * minute])).to.deep.equal([
      0,
      minute,
      minute,
      minute,
      2 * minute,
    ]);
  });

  it("goes back where a clock was ten years ahead for a while", () => {
    expect(shown([0, 10 * year, 10 * year + 5, minute, 2 * minute])).to.deep.equal([
      0,
      10 * year,
      10 * year + 5,
      minute,
      2 * minute,
    ]);
  });

  it("goes back as often as clocks of two processes take turns", () => {
    expect(shown([0, 10 * year, 1, 10 * year, 2, 10 * year + year, 3, -1])).to.deep.equal([
      0,
      10 * year,
      1,
      10 * year,
      2,
      11 * year,
      3,
      3,
    ]);
  });

  it("goes back over several jumps ahead at once", () => {
    expect(shown([0, year, 10 * year, 1])).to.deep.equal([0, year, 10 * year, 1]);
    expect(shown([0, year, 10 * year, year + 1, 1])).to.deep.equal([0, year, 10 * year, year + 1, 1]);
  });

  it("goes back the rest of the way where it went back only a part of it", () => {
    expect(shown([0, 10 * year, 90 * minute, -1, 5])).to.deep.equal([0, 10 * year, 90 * minute, 0, 5]);
    expect(shown([0, year, 10 * year, year / 2, 1])).to.deep.equal([0, year, 10 * year, year / 2, 1]);
  });

  it("takes a clock for behind, not what was before for ahead, where events were written at about its time", () => {
    const day = Array.from({ length: 24 }, (_, index) => index * 30 * minute);
    expect(shown([-10 * hour, ...day, 2 * hour]).at(-1)).to.equal(day.at(-1));
    expect(shown([0, 50 * minute, 100 * minute, 150 * minute, 1]).at(-1)).to.equal(150 * minute);
  });

  it("shows what a rule without a memory of jumps says, whatever the times", () => {
    const offsets = [0, 1, 30 * minute, hour, hour + 1, 90 * minute, 10 * hour, year, 10 * year];
    const time = fc
      .tuple(fc.constantFrom(...offsets), fc.integer({ min: -2, max: 2 }))
      .map(([far, near]) => far + near);
    const property = fc.property(fc.array(time, { minLength: 2, maxLength: 10 }), (times) => {
      const events = times.map((at, index) => ({
        position: toPosition(index + 1),
        metadata: { at: new Date(now + at).toISOString() },
      }));
      const shows = shown(times);
      expect(shows.map((_, index) => Math.min(...shows.slice(index)))).to.deep.equal(
        naiveTimes(events).map(([, happened]) => happened - now),
      );
    });
    fc.assert(property, propertyRuns(2_000));
  });

  it("goes on from where it was left", () => {
    const times = [0, 10 * year, 5, 2 * hour, 20 * year, 3 * hour, 4 * hour, hour].map((time) => now + time);
    const whole = new FoldedClock();
    const expected = times.map((time) => whole.tick(time).shows);
    let last: number | null = null;
    const jumps: ClockJump[] = [];
    const resumed = times.map((time) => {
      const { shows, jump } = new FoldedClock(last, jumps).tick(time);
      if (jump !== null) jumps.push(jump);
      last = shows;
      return shows;
    });
    expect(resumed).to.deep.equal(expected);
  });
});
