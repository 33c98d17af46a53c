import type { LeaseGrant, LeaseTiming } from "../../../projections/ports.js";

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
