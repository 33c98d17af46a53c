interface Range {
  readonly from: number;
  readonly to: number;
  /** The line before which they should have stood. */
  readonly line: number;
}

const mostRanges = 10_000;

/** Facts that have not been seen where they belong. */
export class AbsentFacts {
  private ranges: Range[] = [];

  add(from: number, to: number, line: number): void {
    if (from <= to && this.ranges.length < mostRanges) this.ranges.push({ from, to, line });
  }

  /** Strikes out a fact that has turned up. Answers with the line where it belongs; null where it was not absent. */
  found(n: number): number | null {
    const range = this.ranges.find(({ from, to }) => from <= n && n <= to);
    if (range === undefined) return null;
    const { from, to, line } = range;
    const rest = [
      { from, to: n - 1, line },
      { from: n + 1, to, line },
    ].filter((part) => part.from <= part.to);
    this.ranges = this.ranges.flatMap((one) => (one === range ? rest : [one]));
    return line;
  }

  /** Those that never turned up. */
  list(): readonly Range[] {
    return this.ranges;
  }
}
