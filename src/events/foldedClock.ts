/**
 * Times that lie further apart than this cannot both be right: no clock that is kept at all is wrong by an hour. Within
 * it the order of the log decides (docs/design/log.md).
 */
export const farApartMs = 3_600_000;

/** Where the log's clock moved by more than {@link farApartMs}, ahead or back: what it showed before and after. */
export interface ClockJump {
  readonly before: number;
  readonly after: number;
}

/**
 * The log's clock, in epoch milliseconds: what time it was at an event, folded over the log in its order from the times
 * that events carry. It never runs backwards, but for one case: where a clock was far ahead for a while. Then it had
 * jumped from about now, or from earlier, to a time far ahead of now. It goes back to where it jumped from, or to now:
 * what was written meanwhile was written by then.
 */
export class FoldedClock {
  private shown: number | null;
  /** Jumps ahead that may prove to have been wrong: each begins where, or after, the one before it ended. */
  private readonly ahead: ClockJump[] = [];

  /** Goes on from what it showed last (null: no event yet), after these jumps. */
  constructor(shown: number | null = null, jumps: Iterable<ClockJump> = []) {
    this.shown = shown;
    for (const jump of jumps) this.remember(jump);
  }

  /**
   * What it shows at the next event, which carries `time` (null: none that can be read), and the jump, if it made one.
   */
  tick(time: number | null): { readonly shows: number; readonly jump: ClockJump | null } {
    const before = this.shown;
    if (time !== null) this.shown = this.after(time);
    const after = this.shown ?? 0;
    if (before === null || Math.abs(after - before) <= farApartMs) return { shows: after, jump: null };
    const jump = { before, after };
    this.remember(jump);
    return { shows: after, jump };
  }

  private after(time: number): number {
    if (this.shown === null || time > this.shown) return time;
    const near = time + farApartMs;
    const jump = this.ahead.findLast(({ before }) => before <= near);
    return jump !== undefined && jump.after > near ? Math.max(jump.before, time) : this.shown;
  }

  private remember(jump: ClockJump): void {
    if (jump.after > jump.before) this.ahead.push(jump);
    else this.takeBack(jump.after);
  }

  /**
   * Where it goes back only a part of the way, it has jumped ahead to there, which may prove to have been wrong too.
   */
  private takeBack(after: number): void {
    let before = after;
    while ((this.ahead.at(-1)?.after ?? Number.NEGATIVE_INFINITY) > after) before = this.ahead.pop()?.before ?? before;
    if (after - before > farApartMs) this.ahead.push({ before, after });
  }
}
