import type { Position } from "../../shared/position.js";

interface Sample {
  readonly at: number;
  readonly position: Position;
}

const longestMs = 30_000;
/** Looks that follow each other so soon tell nothing. */
const shortestMs = 200;

/** How fast positions move on, from how they were when somebody looked before. */
export class Rates {
  private readonly samples = new Map<string, Sample[]>();

  /** Positions per second over the last half minute; null where there was no look before, or there is no position. */
  of(key: string, position: Position | null): number | null {
    if (position === null) return null;
    const at = performance.now();
    const samples = (this.samples.get(key) ?? []).filter((sample) => at - sample.at <= longestMs);
    const [oldest] = samples;
    if (at - (samples.at(-1)?.at ?? 0) >= shortestMs) samples.push({ at, position });
    this.samples.set(key, samples);
    if (oldest === undefined || at - oldest.at < shortestMs) return null;
    return Math.max(0, Math.round((Number(position - oldest.position) / (at - oldest.at)) * 1_000));
  }
}
