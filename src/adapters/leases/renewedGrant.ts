import { type LeaseGrant, type LeaseTiming, EngineUnavailable } from "../../../projections/ports.js";
import { delay } from "../../shared/waiting.js";

/** A right as an engine granted it. */
export interface GrantedRight {
  readonly token: bigint;
  /**
   * The time just before the grant was asked for, on the clock of `performance.now()`. The grant lasts from then on.
   */
  readonly askedAt: number;
  readonly timing: LeaseTiming;
}

/**
 * A lease that is renewed until it is given back. It counts as lost when it was not renewed in time, or when the engine
 * says that somebody else has it. An engine that does not answer is asked again until then.
 */
export abstract class RenewedGrant implements LeaseGrant {
  readonly token: bigint;
  private readonly timing: LeaseTiming;
  private readonly losing = new AbortController();
  private until: number;
  private renewing: NodeJS.Timeout | undefined;
  private ending: NodeJS.Timeout | undefined;

  protected constructor({ token, askedAt, timing }: GrantedRight) {
    this.token = token;
    this.timing = timing;
    this.until = askedAt + timing.ttlMs;
    this.extend(askedAt);
    this.planRenewal();
  }

  get lost(): AbortSignal {
    return this.losing.signal;
  }

  heldUntil(): number {
    return this.losing.signal.aborted ? Number.NEGATIVE_INFINITY : this.until;
  }

  /** To be called when a write was refused because of its token. */
  lose(): void {
    clearTimeout(this.renewing);
    clearTimeout(this.ending);
    this.losing.abort();
  }

  /** Also gives back a lease that counts as lost: it may still be ours, and then nobody has to wait for its end. */
  async release(): Promise<void> {
    this.lose();
    // Where this fails, the lease ends by itself a little later.
    await this.surrender().catch(() => undefined);
  }

  /** Extends the right in the engine by its whole time from now on; false where it is no longer ours. */
  protected abstract renew(): Promise<boolean>;

  /** Gives the right back in the engine where it is still ours. */
  protected abstract surrender(): Promise<void>;

  private planRenewal(): void {
    this.renewing = setTimeout(() => void this.renewAndPlan(), this.timing.renewMs);
    this.renewing.unref();
  }

  private async renewAndPlan(): Promise<void> {
    const askedAt = performance.now();
    try {
      if (!(await this.renew())) return this.lose();
      this.extend(askedAt);
    } catch {
      // No answer: the engine is asked again, until the time of the last renewal is over.
    }
    if (!this.losing.signal.aborted) this.planRenewal();
  }

  private extend(from: number): void {
    this.until = from + this.timing.ttlMs;
    clearTimeout(this.ending);
    this.ending = setTimeout(() => this.lose(), this.until - performance.now());
    this.ending.unref();
  }
}

/** A standby takes over at most 7 seconds after its predecessor's last renewal. */
export const defaultTiming: LeaseTiming = { ttlMs: 6_000, renewMs: 1_500, pollMs: 500 };

/**
 * Asks an engine for a lease until it is granted; null where the signal aborts first. Throws `EngineUnavailable` where
 * the engine fails.
 */
export async function standBy<Grant extends LeaseGrant>(
  ask: () => Promise<Grant | null> | Grant | null,
  pollMs: number,
  signal: AbortSignal,
): Promise<Grant | null> {
  while (!signal.aborted) {
    const grant = await asked(ask);
    if (grant !== null && !signal.aborted) return grant;
    await grant?.release();
    await delay(pollMs, signal);
  }
  return null;
}

async function asked<Grant>(ask: () => Promise<Grant | null> | Grant | null): Promise<Grant | null> {
  try {
    return await ask();
  } catch (error) {
    throw new EngineUnavailable("The lease could not be asked for.", { cause: error });
  }
}
