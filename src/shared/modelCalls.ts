/** Why a model's server gave nothing that can be used. */
export type ModelCallTrouble =
  | "timeout"
  | "unreachable"
  | "refused"
  | "malformed"
  /** It refuses what it was sent, and may take something else. */
  | "rejected";
/** How a call ended; `skipped`: it was not made, because the server had failed again and again. */
type ModelCallOutcome = "answered" | ModelCallTrouble | "skipped";

/** Thrown where a model's server fails. The message repeats nothing of what the server was sent, or said. */
export class ModelServerFailure extends Error {
  override readonly name = "ModelServerFailure";

  constructor(
    readonly trouble: ModelCallTrouble,
    message: string,
  ) {
    super(message);
  }
}

/** So many failures in a row are no accident. */
const tolerated = 3;
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

/**
 * Calls that an answer can do without: they are counted, and never fail. A server that fails again and again is given a
 * rest, of a second at first and 30 at most, so that not every answer waits for it.
 */
export class ModelCalls {
  private readonly counts = new Map<ModelCallOutcome, number>();
  private failures = 0;
  private pausedUntil = 0;

  /**
   * @param onFailure told of each call that failed
   * @param now milliseconds of a clock that never goes back
   */
  constructor(
    private readonly onFailure: (failure: ModelServerFailure) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** What the call answers; null where it fails with a {@link ModelServerFailure}, or is not made. */
  async make<Value>(call: () => Promise<Value>): Promise<Value | null> {
    if (this.isResting()) {
      this.count("skipped");
      return null;
    }
    try {
      const value = await call();
      this.failures = 0;
      this.count("answered");
      return value;
    } catch (error) {
      if (!(error instanceof ModelServerFailure)) throw error;
      this.fail(error);
      return null;
    }
  }

  /** How many calls ended how, since the start. */
  counted(): ReadonlyMap<ModelCallOutcome, number> {
    return this.counts;
  }

  /** The first call after a rest begins the next one: the others wait for how it ends. */
  private isResting(): boolean {
    if (this.failures < tolerated) return false;
    if (this.now() < this.pausedUntil) return true;
    this.rest();
    return false;
  }

  private rest(): void {
    this.pausedUntil = this.now() + Math.min(longestPauseMs, firstPauseMs * 2 ** (this.failures - tolerated));
  }

  private fail(failure: ModelServerFailure): void {
    this.failures++;
    if (this.failures >= tolerated) this.rest();
    this.count(failure.trouble);
    this.onFailure(failure);
  }

  private count(outcome: ModelCallOutcome): void {
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1);
  }
}

/** Calls of one purpose that ended alike. */
export interface CountedModelCalls {
  readonly purpose: string;
  readonly outcome: ModelCallOutcome;
  readonly calls: number;
}
