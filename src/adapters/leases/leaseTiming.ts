import type { LeaseTiming } from "../../../projections/ports.js";

/** A standby takes over at most 7 seconds after its predecessor's last renewal. */
export const defaultTiming: LeaseTiming = { ttlMs: 6_000, renewMs: 1_500, pollMs: 500 };
