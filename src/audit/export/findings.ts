/** What is wrong with a line, or with what should stand there. */
export type FindingKind =
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
