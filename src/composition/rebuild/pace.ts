import type { LiveLoad } from "../../../projections/ports.js";

/** People wait noticeably longer than before: a rebuild rests more. */
const slow = 1.5;
/** As good as before: it rests less. */
const fine = 1.25;
/** Rests are told in multiples of the work before them. At the most a rebuild gets one part of its time in ten. */
const longestRest = 9;
const firstRest = 1;
const growth = 2;
const decline = 0.8;
/** A rest that is not worth taking. */
const shortestRest = 0.1;
/** What has not been told anew for so long is of a process that is gone, or that nobody asks any more. */
const freshMs = 1_500;

/**
 * How long a rebuild rests for people who are answered by other processes. What counts is what they notice: where
 * answers take half as long again as before it began, it rests twice as long as it did, up to a bound, so that it
 * always goes on; where they are fine, a fifth less, down to none. A process that has nothing to compare with is given
 * half of the time while it is asked anything.
 */
export class Pace {
  private rest = 0;
  private readonly tellings = new Map<string, { readonly told: number; readonly at: number }>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** How long to rest after each chunk of work, in multiples of it, until the next look at what processes tell. */
  after(loads: ReadonlyMap<string, LiveLoad>): number {
    const fresh = this.freshOf(loads);
    const worst = Math.max(0, ...fresh.map(({ slowdown }) => slowdown ?? 0));
    if (worst > slow) this.rest = Math.min(longestRest, Math.max(firstRest, this.rest * growth));
    else if (worst < fine) this.rest = this.rest * decline < shortestRest ? 0 : this.rest * decline;
    const isUnknown = fresh.some(({ slowdown, underWay }) => slowdown === null && underWay > 0);
    return Math.max(this.rest, isUnknown ? firstRest : 0);
  }

  /** By this process's own clock: others' may be wrong. */
  private freshOf(loads: ReadonlyMap<string, LiveLoad>): readonly LiveLoad[] {
    const now = this.now();
    for (const process of this.tellings.keys()) if (!loads.has(process)) this.tellings.delete(process);
    return [...loads].flatMap(([process, load]) => {
      const known = this.tellings.get(process);
      if (known === undefined || known.told !== load.told) this.tellings.set(process, { told: load.told, at: now });
      return now - (this.tellings.get(process)?.at ?? now) < freshMs ? [load] : [];
    });
  }
}
