const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** More errors than this at once are none that keep coming. */
const mostRemembered = 200;

interface Remembered {
  /** No line before this time. */
  quietUntil: number;
  pauseMs: number;
  /** Since the last line. */
  suppressed: number;
}

/**
 * Decides which errors get a line: one that keeps coming gets the next after a second, then after two, and so on up to a
 * minute. One that has stayed away for as long as its last pause is new again.
 */
export class RepeatedErrors {
  private readonly remembered = new Map<string, Remembered>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** How often it came since its last line; null: it gets none this time. */
  note(error: string): number | null {
    const now = this.now();
    const known = this.remembered.get(error);
    if (known === undefined || now > known.quietUntil + known.pauseMs) {
      this.remember(error, { quietUntil: now + firstPauseMs, pauseMs: firstPauseMs, suppressed: 0 });
      return known?.suppressed ?? 0;
    }
    if (now < known.quietUntil) {
      known.suppressed++;
      return null;
    }
    const { suppressed } = known;
    known.pauseMs = Math.min(longestPauseMs, known.pauseMs * 2);
    known.quietUntil = now + known.pauseMs;
    known.suppressed = 0;
    return suppressed;
  }

  private remember(error: string, as: Remembered): void {
    this.remembered.delete(error);
    this.remembered.set(error, as);
    const [oldest] = this.remembered.keys();
    if (this.remembered.size > mostRemembered && oldest !== undefined) this.remembered.delete(oldest);
  }
}
