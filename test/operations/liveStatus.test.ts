import { expect } from "chai";
import { liveEvents, sharedLook } from "../../src/operations/status/liveStatus.js";

describe("what is told live", () => {
  const pace = { everyMs: 1, signOfLifeMs: 20, longestMs: 60_000 };
  const whole = { most: Number.POSITIVE_INFINITY, signal: new AbortController().signal };

  /** Finds these one after the other, and the last of them on and on. */
  const finding = (...found: readonly unknown[]) => {
    let looks = 0;
    return {
      look: () => Promise.resolve(found[Math.min(looks++, found.length - 1)]),
      isStopping: () => Promise.resolve(false),
      looks: () => looks,
    };
  };

  it("is told when it changes, and not again", async () => {
    const source = finding({ n: 1 }, { n: 1 }, { n: 2 }, { n: 2 }, { n: 3 });
    const told: string[] = [];
    for await (const event of liveEvents(source, { ...pace, signOfLifeMs: 60_000 }, { ...whole, most: 3 }))
      told.push(event);
    expect(told).to.deep.equal(['data: {"n":1}\n\n', 'data: {"n":2}\n\n', 'data: {"n":3}\n\n']);
    expect(source.looks()).to.equal(5);
  });

  it("gives signs of life while nothing changes, until whoever listens is gone", async () => {
    const listening = new AbortController();
    const told: string[] = [];
    for await (const event of liveEvents(finding("same"), pace, { ...whole, signal: listening.signal })) {
      told.push(event);
      if (told.length === 3) listening.abort();
    }
    expect(told).to.deep.equal(['data: "same"\n\n', ": nothing new\n\n", ": nothing new\n\n"]);
  });

  it("ends where the service stops, and where whoever listens has to prove again who it is", async () => {
    let looks = 0;
    const stopping = { look: () => Promise.resolve(++looks), isStopping: () => Promise.resolve(looks === 2) };
    const told: string[] = [];
    for await (const event of liveEvents(stopping, pace, whole)) told.push(event);
    expect(told).to.have.length(2);
    for await (const event of liveEvents(finding("same"), { ...pace, longestMs: 30 }, whole)) told.push(event);
    expect(told[2]).to.equal('data: "same"\n\n');
  });

  it("is looked at once for all who look at the same time", async () => {
    let looks = 0;
    const look = sharedLook(() => Promise.resolve(++looks), 60_000);
    expect(await Promise.all([look(), look(), look()])).to.deep.equal([1, 1, 1]);
    const soon = sharedLook(() => Promise.resolve(++looks), 0);
    expect([await soon(), await soon()]).to.deep.equal([2, 3]);
  });
});
