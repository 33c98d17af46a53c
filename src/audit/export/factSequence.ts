import type { Position } from "../../shared/position.js";
import { AbsentFacts } from "./absentFacts.js";
import { factsBetween, type Findings } from "./findings.js";
import type { ChainState } from "./lines.js";
import type { IntactFact } from "./parseLine.js";

/** The last fact that stood in its place. */
interface Place {
  readonly n: number;
  /** null: what stood in its place was something else. */
  readonly hash: string | null;
  readonly position: Position | null;
  readonly line: number;
}

/**
 * A fact that came before its turn: whether those in between are missing or it stands too early, the next one shows.
 */
interface Jump {
  readonly fact: IntactFact;
  readonly line: number;
  /** The first fact that is not accounted for. */
  readonly expected: number;
}

const mostEarly = 10_000;

/**
 * Follows the facts of a file by their numbers, which are theirs for sure where a line is intact, and finds what was
 * dropped, moved, added or replaced. A broken line stands for the fact that was to come.
 */
export class FactSequence {
  private last: Place | null = null;
  private jump: Jump | null = null;
  /** Broken lines since the last intact one. */
  private broken = 0;
  private readonly absent = new AbsentFacts();
  private readonly early = new Set<number>();

  constructor(private readonly findings: Findings) {}

  /** The chain as the header tells of it. */
  begin({ facts, hash }: ChainState, position: Position, line: number): void {
    this.last = { n: facts, hash, position, line };
  }

  /** A line that is not intact. */
  skip(): void {
    this.broken += 1;
  }

  take(fact: IntactFact, line: number): void {
    this.resolveJump(fact.n);
    const { last } = this;
    const expected = last === null ? fact.n : last.n + 1;
    if (last !== null && fact.n <= last.n) this.late(fact, line);
    else if (last !== null && this.follows(fact.n, expected)) this.follow(fact, line, last);
    else this.jump = { fact, line, expected: expected + (last === null ? 0 : this.broken) };
    this.broken = 0;
  }

  /** The end of the chain, as far as the lines show; to be called once, after the last line. */
  end(): {
    readonly facts: number | null;
    readonly hash: string | null;
    readonly line: number;
    readonly broken: number;
  } {
    this.resolveJump(null);
    while (this.last !== null && this.early.has(this.last.n + 1))
      this.last = { ...this.last, n: this.last.n + 1, hash: null };
    for (const { from, to, line } of this.absent.list()) {
      this.findings.add(
        line,
        "missing",
        `Before this line ${factsBetween(from, to)} ${from === to ? "is" : "are"} missing.`,
      );
    }
    return {
      facts: this.last?.n ?? null,
      hash: this.broken === 0 ? (this.last?.hash ?? null) : null,
      line: this.last?.line ?? 1,
      broken: this.broken,
    };
  }

  /** Whether nothing is unaccounted for between the last fact and this one. */
  private follows(n: number, expected: number): boolean {
    for (let between = expected + this.broken; between < n; between++) if (!this.early.has(between)) return false;
    return true;
  }

  private follow(fact: IntactFact, line: number, last: Place): void {
    const isNext = fact.n === last.n + 1 && this.broken === 0 && last.hash !== null;
    if (isNext && fact.previous !== last.hash) {
      this.findings.add(
        line,
        "replaced",
        `This line does not continue the chain of line ${last.line}: one of the two was replaced.`,
      );
    } else if (isNext && last.position !== null && fact.position <= last.position) {
      this.findings.add(line, "replaced", `This line's position is not after that of line ${last.line}.`);
    }
    this.last = { n: fact.n, hash: fact.hash, position: fact.position, line };
  }

  private late({ n }: IntactFact, line: number): void {
    const belongs = this.absent.found(n);
    if (belongs === null) this.findings.add(line, "added", `Fact ${n} stands here a second time.`);
    else this.findings.add(line, "moved", `Fact ${n} stands here, but belongs to line ${belongs}.`);
  }

  /** Decides about a jump by the fact that comes next; null: there is none. */
  private resolveJump(next: number | null): void {
    const { jump, last } = this;
    if (jump === null) return;
    this.jump = null;
    const { fact, line, expected } = jump;
    const goesOn = next === null || (next > fact.n && next <= fact.n + 1 + this.broken);
    const goesBack = next !== null && next < fact.n && (next === expected || next === expected + 1);
    if (goesOn || (last !== null && !goesBack)) {
      if (last !== null) this.absent.add(expected, fact.n - 1, line);
      this.last = { n: fact.n, hash: fact.hash, position: fact.position, line };
    } else {
      this.standsTooEarly(jump, next);
    }
  }

  private standsTooEarly({ fact, line, expected }: Jump, next: number): void {
    const { last } = this;
    this.findings.add(line, "moved", `Fact ${fact.n} stands here, in the place of another.`);
    if (this.early.size < mostEarly) this.early.add(fact.n);
    if (last === null || next === last.n + 1) return;
    if (next === expected + 1) this.absent.add(expected, expected, line);
    this.last = { n: next - 1, hash: null, position: null, line };
  }
}
