import { expect } from "chai";
import * as fc from "fast-check";
import { Shares, type Holding } from "../../src/shared/shares.js";
import { propertyRuns } from "../support/propertyRuns.js";

describe("shares of what others need as well", () => {
  it("are never more than there is, and never more than what is left of it", () => {
    const step = fc.record({
      holder: fc.constantFrom("a", "b", "c"),
      amount: fc.integer({ min: 1, max: 60 }),
      releases: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const total = 100;
        const shares = new Shares(total);
        const held: { readonly holding: Holding; readonly holder: string; amount: number }[] = [];
        const of = (holder?: string): number =>
          held.reduce((sum, one) => sum + (holder === undefined || one.holder === holder ? one.amount : 0), 0);
        for (const { holder, amount, releases } of steps) {
          const released = releases ? held.shift() : undefined;
          released?.holding.release();
          released?.holding.release();
          const left = total - of();
          const holding = shares.holding(holder);
          expect(holding.grow(amount)).to.equal(of(holder) + amount <= left);
          if (of(holder) + amount <= left) held.push({ holding, holder, amount });
          expect(shares.areGone).to.equal(of() >= total);
        }
      }),
      propertyRuns(200),
    );
  });

  it("leave a newcomer room where others have taken all that they get", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), (holders) => {
        const shares = new Shares(1_000);
        for (let at = 0; at < holders; at++) {
          const holding = shares.holding(`holder${at}`);
          while (holding.grow(1));
        }
        expect(shares.holding("newcomer").grow(1)).to.equal(true);
      }),
      propertyRuns(20),
    );
  });

  /** What is asked for in this order, each held until its end is called. */
  const start = (shares: Shares): ((name: string, holder: string, amount: number, signal?: AbortSignal) => void) => {
    return (name, holder, amount, signal = new AbortController().signal) => {
      const work = (): Promise<void> => {
        begun.push(name);
        return new Promise((resolve) => ends.set(name, resolve));
      };
      shares.during({ holder, amount, signal }, work).catch((error: unknown) => begun.push(String(error)));
    };
  };
  let begun: string[] = [];
  const ends = new Map<string, () => void>();
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  beforeEach(() => {
    begun = [];
    ends.clear();
  });

  it("are waited for in order, and whoever waits for their own holds up nobody else", async () => {
    const ask = start(new Shares(10));
    ask("a1", "a", 5);
    ask("a2", "a", 5);
    ask("b1", "b", 4);
    await new Promise(setImmediate);
    expect(begun).to.deep.equal(["a1", "b1"]);
    ask("c1", "c", 5);
    ask("d1", "d", 1);
    await new Promise(setImmediate);
    // There is room for the last, but it is not its turn.
    expect(begun).to.deep.equal(["a1", "b1"]);
    await end("b1");
    expect(begun).to.deep.equal(["a1", "b1", "c1"]);
    await end("a1");
    expect(begun).to.deep.equal(["a1", "b1", "c1", "a2"]);
    await end("c1");
    expect(begun).to.deep.equal(["a1", "b1", "c1", "a2", "d1"]);
  });

  it("are all begun in the end, whatever is asked for and however long each takes", async () => {
    const asked = fc.array(
      fc.record({ holder: fc.constantFrom("a", "b", "c"), amount: fc.integer({ min: 1, max: 5 }) }),
      { maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(asked, fc.scheduler(), async (all, scheduler) => {
        const shares = new Shares(10);
        let done = 0;
        for (const { holder, amount } of all)
          void shares
            .during({ holder, amount, signal: new AbortController().signal }, () =>
              scheduler.schedule(Promise.resolve()),
            )
            .then(() => done++);
        await scheduler.waitIdle();
        expect(done).to.equal(all.length);
        expect(shares.areGone).to.equal(false);
      }),
      propertyRuns(100),
    );
  });

  it("are not waited for any more by whoever has left", async () => {
    const ask = start(new Shares(10));
    const gone = new AbortController();
    ask("a1", "a", 10);
    ask("b1", "b", 10, gone.signal);
    ask("c1", "c", 1);
    await new Promise(setImmediate);
    gone.abort(new Error("It left."));
    await end("a1");
    expect(begun).to.deep.equal(["a1", "Error: It left.", "c1"]);
    ask("d1", "d", 1, AbortSignal.abort(new Error("It was never there.")));
    await new Promise(setImmediate);
    expect(begun.at(-1)).to.equal("Error: It was never there.");
  });
});
