import type { Position } from "../../shared/position.js";
import type { Counted, Checkpointed } from "../../../queries/ports.js";

/** One version, and what its engine holds of it. */
export interface CountedVersion {
  readonly reader: Checkpointed;
  readonly counted: Counted;
}

interface CountComparison {
  readonly projection: string;
  readonly live: CountedVersion;
  readonly next: CountedVersion;
  head(): Promise<Position>;
  /** Ends it with the signal's reason. */
  readonly signal: AbortSignal;
}

interface CountReport {
  /** What was counted. */
  readonly compared: readonly string[];
  readonly differences: readonly { readonly what: string; readonly live: number; readonly next: number }[];
}

/** Others write meanwhile: what differs each time differs. */
const attempts = 10;
const reachMs = 2_000;

/**
 * Compares how much two versions hold, so that what no question asks for is not passed over: documents that the log
 * never named, say. While somebody writes, a number has to lie between those before and after it.
 */
export async function compareCounts({ projection, live, next, head, signal }: CountComparison): Promise<CountReport> {
  let left: CountReport["differences"] | null = null;
  let compared: readonly string[] = [];
  for (let attempt = 0; attempt < attempts && left?.length !== 0; attempt++) {
    signal.throwIfAborted();
    const position = await head();
    await Promise.all([live, next].map(({ reader }) => reader.reached(position, reachMs)));
    const before = await live.counted.counts(projection);
    const between = await next.counted.counts(projection);
    const after = await live.counted.counts(projection);
    compared = [...new Set([...Object.keys(before), ...Object.keys(between)])];
    const found = compared.flatMap((what) => {
      const [first = 0, number = 0, last = 0] = [before[what], between[what], after[what]];
      return number >= Math.min(first, last) && number <= Math.max(first, last)
        ? []
        : [{ what, live: last, next: number }];
    });
    left = left === null ? found : found.filter(({ what }) => left?.some((known) => known.what === what));
  }
  return { compared, differences: left ?? [] };
}
