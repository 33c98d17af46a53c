import { expect } from "chai";
import * as fc from "fast-check";
import type { LiveLoad } from "../../projections/ports.js";
import { AnswerTimes } from "../../src/composition/rebuild/answerTimes.js";
import { Pace } from "../../src/composition/rebuild/pace.js";
import { newThrottleSignal, restElsewhere, Throttle } from "../../src/composition/rebuild/throttle.js";
import { propertyRuns } from "../support/propertyRuns.js";

const tickMs = 250;

/** Processes whose answers take longer the more a rebuild works, and whose word of it comes late. */
class World {
  now = 0;
  private told = 0;
  private readonly shares: number[] = [];
  readonly pace = new Pace(() => this.now);

  /**
   * `weight`: how much longer answers take, in multiples, while the rebuild works all the time. Answers with what
   * people notice now.
   */
  tick(weight: number, lateTicks: number): { readonly slowdown: number; readonly rest: number } {
    const noticed = 1 + weight * (this.shares.at(-1 - lateTicks) ?? 0);
    const rest = this.see({ underWay: 1, slowdown: noticed });
    this.shares.push(1 / (1 + rest));
    return { slowdown: 1 + weight / (1 + rest), rest };
  }

  see(load: Omit<LiveLoad, "told">): number {
    this.now += tickMs;
    return this.pace.after(new Map([["api", { ...load, told: ++this.told }]]));
  }

  /** Nobody tells anything new. */
  silence(): number {
    this.now += tickMs;
    return this.pace.after(new Map([["api", { underWay: 1, slowdown: 9, told: this.told }]]));
  }
}

const slowdowns = fc.array(fc.option(fc.double({ min: 0, max: 50, noNaN: true })), { maxLength: 60 });

describe("the pace of a rebuild for people whom other processes answer", () => {
  it("comes to keep answers within twice what they took, wherever a rest can, and word of it may be a second late", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 9, noNaN: true }), fc.nat(4), (weight, lateTicks) => {
        const world = new World();
        const seconds = Array.from({ length: 240 }, () => world.tick(weight, lateTicks));
        for (const { slowdown } of seconds.slice(12)) expect(slowdown).to.be.at.most(2.3);
        expect(seconds.slice(12).reduce((sum, { slowdown }) => sum + slowdown, 0) / 228).to.be.at.most(2);
      }),
      propertyRuns(200),
    );
  });

  it("always leaves a rebuild a tenth of the time, whatever is told", () => {
    fc.assert(
      fc.property(slowdowns, (told) => {
        const world = new World();
        for (const slowdown of told) expect(world.see({ underWay: 3, slowdown })).to.be.within(0, 9);
      }),
      propertyRuns(200),
    );
  });

  it("asks for no rest any more once answers are fine, or whoever told of them is gone", () => {
    fc.assert(
      fc.property(slowdowns, fc.boolean(), (told, isGone) => {
        const world = new World();
        for (const slowdown of told) world.see({ underWay: 3, slowdown });
        const rests = Array.from({ length: 40 }, () =>
          isGone ? world.silence() : world.see({ underWay: 3, slowdown: 1.1 }),
        );
        expect(rests.at(-1)).to.equal(0);
      }),
      propertyRuns(200),
    );
  });

  it("asks for nothing where people notice nothing, and for half of the time where nobody knows what they notice", () => {
    const world = new World();
    expect(world.see({ underWay: 5, slowdown: 1.2 })).to.equal(0);
    expect(world.see({ underWay: 5, slowdown: null })).to.equal(1);
    expect(world.see({ underWay: 0, slowdown: null })).to.equal(0);
  });
});

describe("how long answers take against what they took before", () => {
  const timesAt = (): {
    readonly times: AnswerTimes;
    answer(tookMs: number, count: number): void;
    pass(ms: number): void;
  } => {
    let now = 0;
    const times = new AnswerTimes(() => now);
    return {
      times,
      answer: (tookMs, count) => Array.from({ length: count }, () => times.record(tookMs)),
      pass: (ms) => (now += ms),
    };
  };

  it("is told of the last answers alone", () => {
    const { times, answer, pass } = timesAt();
    answer(10, 300);
    times.rememberAsUsual();
    pass(60_000);
    expect(times.slowdown(), "nothing was asked lately").to.equal(null);
    answer(30, 40);
    expect(times.slowdown()).to.equal(3);
    pass(2_000);
    answer(15, 5);
    expect(times.slowdown()).to.equal(1.5);
  });

  it("is not known where too little was asked before, nor where answers are quick either way", () => {
    const { times, answer } = timesAt();
    answer(10, 19);
    times.rememberAsUsual();
    answer(90, 20);
    expect(times.slowdown()).to.equal(null);
    const quick = timesAt();
    quick.answer(0.1, 50);
    quick.times.rememberAsUsual();
    quick.answer(0.9, 256);
    expect(quick.times.slowdown()).to.be.below(1);
  });

  it("passes over one odd answer in ten", () => {
    const { times, answer } = timesAt();
    answer(10, 100);
    times.rememberAsUsual();
    answer(10, 246);
    answer(500, 10);
    expect(times.slowdown()).to.equal(1);
  });
});

describe("what a rebuild gives way to", () => {
  /** A clock that moves by work and by waiting alone. */
  const throttled = (): {
    readonly signal: Int32Array;
    readonly rested: () => number;
    work(ms: number): Promise<void>;
    waitFor(ms: number): Promise<void>;
  } => {
    const signal = newThrottleSignal();
    let now = 0;
    let rested = 0;
    const wait = async (ms: number): Promise<void> => {
      now += ms;
      rested += ms;
    };
    const throttle = new Throttle(signal, { now: () => now, wait });
    return {
      signal,
      rested: () => rested,
      work: (ms) => ((now += ms), throttle.yieldIfBusy()),
      waitFor: (ms) => throttle.waitingFor(Promise.resolve().then(() => void (now += ms))),
    };
  };

  it("is nobody where nobody is there", async () => {
    const { rested, work } = throttled();
    for (let chunk = 0; chunk < 100; chunk++) await work(20);
    expect(rested()).to.equal(0);
  });

  it("are people elsewhere, for as long as the pace says, a second at the most", async () => {
    const { signal, rested, work } = throttled();
    Atomics.store(signal, restElsewhere, 250);
    await work(20);
    expect(rested()).to.equal(50);
    await work(3);
    expect(rested(), "work too little to rest from").to.equal(50);
    await work(5_000);
    expect(rested()).to.equal(1_050);
  });

  it("does not rest from what another thread did", async () => {
    const { signal, rested, work, waitFor } = throttled();
    Atomics.store(signal, restElsewhere, 100);
    await waitFor(400);
    await work(20);
    expect(rested()).to.equal(20);
  });

  it("are questions that this process answers, without end: four times the work at the most", async () => {
    const { signal, rested, work } = throttled();
    Atomics.add(signal, 0, 1);
    await work(20);
    expect(rested()).to.be.within(80, 82);
  });
});
