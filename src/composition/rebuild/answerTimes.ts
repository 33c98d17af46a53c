const remembered = 256;
/** Fewer say nothing about what is usual. */
const leastBefore = 20;
const leastLately = 5;
/** What is lately: so long ago, or, of a service that is asked seldom, the last few within a longer time. */
const latelyMs = 1_500;
const atMostMs = 10_000;
/** Answers that are quicker may become slower without anybody noticing. */
const unnoticedMs = 1;
/** The share of answers that come within the time that is compared: one in ten may be an odd one. */
const share = 0.9;

/**
 * How long answers took lately, against what they took before a rebuild began. Recording one is two writes to memory.
 */
export class AnswerTimes {
  private readonly took = new Float64Array(remembered);
  private readonly at = new Float64Array(remembered);
  private count = 0;
  private before: number | null = null;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** An answer that has just been given, after so many milliseconds. */
  record(tookMs: number): void {
    const place = this.count++ % remembered;
    this.took[place] = tookMs;
    this.at[place] = this.now();
  }

  /** From now on what comes is compared with what there was up to now. */
  rememberAsUsual(): void {
    const times = [...this.took.subarray(0, Math.min(this.count, remembered))];
    this.before = times.length < leastBefore ? null : Math.max(unnoticedMs, timeOfMost(times));
  }

  /** As a multiple of what was usual; null where either is not known. */
  slowdown(): number | null {
    if (this.before === null) return null;
    const lately = this.lately();
    return lately.length < leastLately ? null : timeOfMost(lately) / this.before;
  }

  /** Whether anything was answered lately. */
  isAsked(): boolean {
    return this.count > 0 && this.now() - this.ofLast(0).at < atMostMs;
  }

  private lately(): number[] {
    const now = this.now();
    const times: number[] = [];
    for (let back = 0; back < Math.min(this.count, remembered); back += 1) {
      const { took, at } = this.ofLast(back);
      if (now - at > (times.length < leastLately ? atMostMs : latelyMs)) break;
      times.push(took);
    }
    return times;
  }

  private ofLast(back: number): { readonly took: number; readonly at: number } {
    const place = (this.count - 1 - back) % remembered;
    return { took: this.took[place] as number, at: this.at[place] as number };
  }
}

const timeOfMost = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] as number;
