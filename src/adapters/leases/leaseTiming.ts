/** How fast a lease passes from a dead holder to a standby: within `ttlMs` and twice `pollMs`. */
export interface LeaseTiming {
  /** How long a grant lasts without being renewed. */
  readonly ttlMs: number;
  readonly renewMs: number;
  /** How often a standby asks. */
  readonly pollMs: number;
}

/** A standby takes over at most 7 seconds after its predecessor's last renewal. */
export const defaultTiming: LeaseTiming = { ttlMs: 6_000, renewMs: 1_500, pollMs: 500 };
