import { delay } from "../src/shared/waiting.js";
import type { Lease, LeaseGrant } from "./ports.js";

export interface LeasedRun {
  readonly lease: Lease;
  readonly signal: AbortSignal;
  /**
   * Runs while the lease is held. It has to end once the signal aborts: when the lease is lost, or the run is stopped.
   * It may end or fail before; then it is started anew with a new grant.
   */
  work(grant: LeaseGrant, signal: AbortSignal): Promise<void>;
  /** Called for each grant, and at the end of the work that was done under it. */
  onGranted(token: bigint): void;
  onEnded(token: bigint): void;
  /**
   * Called for a failure of the work or of the engine that grants the lease; the run waits `retryDelayMs` and asks
   * again.
   */
  onFailure(error: unknown): void;
  readonly retryDelayMs: number;
}

/**
 * Works while it holds the lease and stands by otherwise, until the signal aborts. So one of several processes
 * projects, and another takes over when that one ends, dies or loses its engine.
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
