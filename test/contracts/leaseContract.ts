import { expect } from "chai";
import type { Lease, LeaseGrant } from "../../projections/ports.js";

/** Two processes that may ask for the same leases. */
export interface LeasesUnderTest {
  first(name: string): Lease;
  second(name: string): Lease;
  /** Ends the first process without a word. */
  killFirst(): void;
  close(): void | Promise<void>;
}

const never = new AbortController().signal;

/** Stands by until it is granted. */
export async function granted(lease: Lease): Promise<LeaseGrant> {
  const grant = await lease.acquire(never);
  if (grant === null) throw new Error("Nobody asked to stop waiting.");
  return grant;
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve());
  });

/** What every lease promises. `open` gives two fresh processes each time, whose grants last for less than a second. */
export function leaseContract(open: () => Promise<LeasesUnderTest>): void {
  let under: LeasesUnderTest;
  beforeEach(async () => {
    under = await open();
  });
  afterEach(() => under.close());

  it("is granted to one at a time, with a greater token each time", async () => {
    const first = await granted(under.first("a"));
    let isGrantedTwice = false;
    const waiting = granted(under.second("a")).then((grant) => {
      isGrantedTwice = !first.lost.aborted;
      return grant;
    });
    const until = first.heldUntil();
    while (first.heldUntil() === until) await new Promise(setImmediate);
    expect(isGrantedTwice).to.equal(false);
    await first.release();
    const second = await waiting;
    expect(isGrantedTwice).to.equal(false);
    expect(second.token > first.token).to.equal(true);
    await second.release();
    const third = await granted(under.first("a"));
    expect(third.token > second.token).to.equal(true);
  });

  it("lasts beyond its time while its holder lives", async () => {
    const first = await granted(under.first("a"));
    const end = first.heldUntil();
    const stopping = new AbortController();
    const waiting = under.second("a").acquire(stopping.signal);
    while (first.heldUntil() <= end && !first.lost.aborted) await new Promise(setImmediate);
    expect(first.lost.aborted).to.equal(false);
    stopping.abort();
    expect(await waiting).to.equal(null);
  });

  it("passes to the standby when its holder dies", async () => {
    const first = await granted(under.first("a"));
    const waiting = granted(under.second("a"));
    under.killFirst();
    const second = await waiting;
    expect(second.token > first.token).to.equal(true);
    expect(second.lost.aborted).to.equal(false);
  });

  it("is known to be lost, once its time is over, by a holder that cannot renew it", async () => {
    const first = await granted(under.first("a"));
    under.killFirst();
    await untilAborted(first.lost);
    expect(first.heldUntil()).to.be.lessThan(performance.now());
    await first.release();
  });

  it("of one name has nothing to do with that of another", async () => {
    const first = await granted(under.first("a"));
    const second = await granted(under.second("b"));
    expect([first.lost.aborted, second.lost.aborted]).to.deep.equal([false, false]);
  });

  it("is given up for by who stops waiting", async () => {
    await granted(under.first("a"));
    const stopping = new AbortController();
    const waiting = under.second("a").acquire(stopping.signal);
    stopping.abort();
    expect(await waiting).to.equal(null);
    expect(await under.second("a").acquire(stopping.signal)).to.equal(null);
  });
}
