import type { Findings } from "./findings.js";
import type { IntactFact } from "./parseLine.js";
import { counted } from "../../shared/counted.js";

/** A fact as the log has it: its number in the chain, and its hash, which is over everything that it says. */
export interface LogFact {
  readonly n: number;
  readonly hash: string;
}

/** Facts of the log in the order of the chain, in stretches. */
export type LogFacts = AsyncIterable<readonly LogFact[]>;

/** Holds the facts of an export against those of the log, both in the order of the chain. */
export class LogComparison {
  private readonly facts: AsyncIterator<readonly LogFact[]>;
  private stretch: readonly LogFact[] = [];
  private index = 0;
  private hasEnded = false;
  private differing = 0;

  constructor(
    facts: LogFacts,
    private readonly findings: Findings,
  ) {
    this.facts = facts[Symbol.asyncIterator]();
  }

  async take({ n, hash }: IntactFact, line: number): Promise<void> {
    await this.advanceTo(n);
    const found = this.stretch[this.index];
    if (found === undefined) this.differs(line, `Fact ${n} is not in the log.`);
    if (found?.n !== n) return;
    this.index += 1;
    if (found.hash !== hash) this.differs(line, `The log holds something else as fact ${n}, or before it.`);
  }

  /** To be called once, with the line of the signed head. */
  async end(line: number): Promise<void> {
    let further = 0;
    for (await this.fill(); this.stretch[this.index] !== undefined; await this.fill()) {
      further += this.stretch.length - this.index;
      this.index = this.stretch.length;
    }
    if (further > 0 && this.findings.isEmpty)
      this.findings.add(line, "differs", `The log holds ${counted(further, "more fact")} of this range.`);
    if (this.differing > 1)
      this.findings.add(
        line,
        "differs",
        `${counted(this.differing, "line")} are not what the log holds; only the first of them is named.`,
      );
  }

  private differs(line: number, message: string): void {
    this.differing += 1;
    if (this.differing === 1) this.findings.add(line, "differs", message);
  }

  private async advanceTo(n: number): Promise<void> {
    for (
      await this.fill();
      this.stretch[this.index] !== undefined && (this.stretch[this.index]?.n ?? n) < n;
      await this.fill()
    )
      this.index += 1;
  }

  /** Fetches the next stretch where this one is used up. */
  private async fill(): Promise<void> {
    while (!this.hasEnded && this.index >= this.stretch.length) {
      const next = await this.facts.next();
      this.hasEnded = next.done === true;
      this.stretch = next.done === true ? [] : next.value;
      this.index = 0;
    }
  }
}
