import type { IntactFact } from "./lines.js";
import { counted } from "../../shared/texts.js";

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

/** What is wrong with a line, or with what should stand there. */
type FindingKind =
  /** Its bytes are not those that its hash is over. */
  | "altered"
  /** Facts that belong before it are not in the file. */
  | "missing"
  /** It stands in another's place. */
  | "moved"
  /** It does not belong there at all, or a second time. */
  | "added"
  /** It is whole in itself, but not what its neighbours or the signature speak of. */
  | "replaced"
  /** The file ends before its signed head, or within it. */
  | "cut off"
  /** The signature is not that of the key. */
  | "signature"
  /** The log holds something else. */
  | "differs";

/** One thing that is wrong with an export. */
export interface Finding {
  /** From 1: where in the file it shows. */
  readonly line: number;
  readonly kind: FindingKind;
  /** A sentence. */
  readonly message: string;
}

const mostFindings = 100;

/** Keeps the first findings, and counts the others. */
export class Findings {
  private readonly kept: Finding[] = [];
  private count = 0;

  add(line: number, kind: FindingKind, message: string): void {
    this.count += 1;
    if (this.kept.length < mostFindings) this.kept.push({ line, kind, message });
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** Ordered by line. */
  list(): readonly Finding[] {
    return this.kept.toSorted((a, b) => a.line - b.line);
  }

  /** How many there are that {@link list} does not tell of. */
  get others(): number {
    return this.count - this.kept.length;
  }
}

/** `fact 7`, `facts 7 to 9`. */
export const factsBetween = (first: number, last: number): string =>
  first === last ? `fact ${first}` : `facts ${first} to ${last}`;
