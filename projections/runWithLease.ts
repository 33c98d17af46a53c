import { delay } from "../src/shared/delay.js";
import type { Lease, LeaseGrant } from "./ports.js";

export interface LeasedRun {
  readonly lease: Lease;
  readonly signal: AbortSignal;
  /**
   * Runs while the lease is held. Has to end once the signal aborts, which it does when the lease is lost or the run is
   * stopped; may end or fail before, and is then started anew with a new grant.
   */
  work(grant: LeaseGrant, signal: AbortSignal): Promise<void>;
  /** Told of each grant, and of the end of the work that was done under it. */
  onGranted(token: bigint): void;
  onEnded(token: bigint): void;
  /**
   * Told of a failure of the work or of the engine that grants the lease; the run waits `retryDelayMs` and asks again.
   */
  onFailure(error: unknown): void;
  readonly retryDelayMs: number;
}

/**
 * Holds the lease and works while it holds it, stands by otherwise, until the signal aborts. So of several processes
 * one projects, and another takes over when that one ends, dies or loses its engine.
 */
export async function runWithLease(run: LeasedRun): Promise<void> {
  const { lease, signal } = run;
  while (!signal.aborted) {
    try {
      const grant = await lease.acquire(signal);
      if (grant !== null) await workUnder(grant, run);
    } catch (error) {
      if (signal.aborted) return;
      run.onFailure(error);
      await delay(run.retryDelayMs, signal);
    }
  }
}

async function workUnder(grant: LeaseGrant, { work, signal, onGranted, onEnded }: LeasedRun): Promise<void> {
  onGranted(grant.token);
  try {
    await work(grant, AbortSignal.any([signal, grant.lost]));
  } finally {
    await grant.release();
    onEnded(grant.token);
  }
}
