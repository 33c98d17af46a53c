import { LRUCache } from "lru-cache";
import { entriesAtMost } from "../shared/entriesAtMost.js";
import type { CredentialId } from "../shared/ids.js";

/** How many credentials are remembered: whoever is forgotten begins with a full minute. */
const rememberedCredentials = 10_000;
const minuteMs = 60_000;

interface Allowance {
  /** How many requests may come at once. */
  left: number;
  at: number;
}

/**
 * How many requests a minute each credential may make in this process. What is not used is kept for a minute, so that a
 * burst is fine as long as the minute is not exceeded.
 */
export class RateLimits {
  private readonly allowances = new LRUCache<CredentialId, Allowance>(entriesAtMost(rememberedCredentials));

  constructor(
    /** null: any number. */
    private readonly perMinute: number | null,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Counts a request, and returns 0; or, without counting it, after how many seconds the next one may come. */
  take(credential: CredentialId): number {
    if (this.perMinute === null) return 0;
    const now = this.now();
    const known = this.allowances.get(credential);
    const regained = known === undefined ? this.perMinute : ((now - known.at) / minuteMs) * this.perMinute;
    const left = Math.min(this.perMinute, (known?.left ?? 0) + regained);
    if (left < 1) return Math.ceil(((1 - left) / this.perMinute) * (minuteMs / 1_000));
    this.allowances.set(credential, { left: left - 1, at: now });
    return 0;
  }
}
