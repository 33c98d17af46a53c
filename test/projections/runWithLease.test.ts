import { expect } from "chai";
import type { Lease, LeaseGrant } from "../../projections/ports.js";
import { runWithLease, type LeasedRun } from "../../projections/runWithLease.js";

/** A lease that grants what the test puts in, and a run that writes down what happens to it. */
class ScriptedLease implements Lease {
  private readonly waiting: ((grant: LeaseGrant) => void)[] = [];
  readonly happened: string[] = [];
  failures = 0;

  acquire(signal: AbortSignal): Promise<LeaseGrant | null> {
    if (this.failures-- > 0) return Promise.reject(new Error("the engine is away"));
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      signal.addEventListener("abort", () => resolve(null));
    });
  }

  /** Grants it to who stands by; answers with a way to lose it. */
  async grant(token: bigint): Promise<() => void> {
    while (this.waiting.length === 0) await new Promise(setImmediate);
    const lost = new AbortController();
    this.waiting.shift()?.({
      token,
      lost: lost.signal,
      heldUntil: () => Number.POSITIVE_INFINITY,
      release: async () => void this.happened.push(`released ${token}`),
    });
    return () => lost.abort();
  }

  async untilHappened(what: string): Promise<void> {
    while (!this.happened.includes(what)) await new Promise(setImmediate);
  }
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve()));

describe("runWithLease", () => {
  let lease: ScriptedLease;
  let stopping: AbortController;
  beforeEach(() => {
    lease = new ScriptedLease();
    stopping = new AbortController();
  });

  const run = (work: LeasedRun["work"]): Promise<void> =>
    runWithLease({
      lease,
      work,
      signal: stopping.signal,
      onGranted: (token) => void lease.happened.push(`granted ${token}`),
      onEnded: (token) => void lease.happened.push(`ended ${token}`),
      onFailure: (error) => void lease.happened.push((error as Error).message),
      retryDelayMs: 1,
    });

  it("works while it holds the lease, stands by when it is lost, and works again under the next grant", async () => {
    const running = run(async (grant, signal) => {
      lease.happened.push(`works ${grant.token}`);
      await untilAborted(signal);
    });
    const lose = await lease.grant(1n);
    await lease.untilHappened("works 1");
    lose();
    await lease.grant(2n);
    await lease.untilHappened("works 2");
    stopping.abort();
    await running;
    expect(lease.happened).to.deep.equal([
      "granted 1",
      "works 1",
      "released 1",
      "ended 1",
      "granted 2",
      "works 2",
      "released 2",
      "ended 2",
    ]);
  });

  it("gives the lease back and asks for it again where the work fails", async () => {
    const running = run(async ({ token }, signal) => {
      if (token === 1n) throw new Error("the work failed");
      await untilAborted(signal);
    });
    await lease.grant(1n);
    await lease.grant(2n);
    await lease.untilHappened("granted 2");
    stopping.abort();
    await running;
    expect(lease.happened.slice(0, 5)).to.deep.equal([
      "granted 1",
      "released 1",
      "ended 1",
      "the work failed",
      "granted 2",
    ]);
  });

  it("asks again for as long as the engine is away", async () => {
    lease.failures = 3;
    const running = run((_grant, signal) => untilAborted(signal));
    await lease.grant(1n);
    await lease.untilHappened("granted 1");
    stopping.abort();
    await running;
    expect(lease.happened.slice(0, 3)).to.deep.equal([
      "the engine is away",
      "the engine is away",
      "the engine is away",
    ]);
  });

  it("ends while it stands by", async () => {
    const running = run(() => Promise.reject(new Error("nobody granted it")));
    stopping.abort();
    await running;
    expect(lease.happened).to.deep.equal([]);
  });
});
