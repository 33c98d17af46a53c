/** Bytes that lie in several blocks, which are never put together. */
export class Rope {
  readonly length: number;

  constructor(private readonly blocks: readonly Buffer[]) {
    this.length = blocks.reduce((sum, { length }) => sum + length, 0);
  }

  /** Where the needle comes next; -1 where it does not. */
  indexOf(needle: Buffer, from: number): number {
    let start = 0;
    for (const block of this.blocks) {
      const end = start + block.length;
      if (from < end) {
        const within = block.indexOf(needle, Math.max(0, from - start));
        if (within !== -1) return start + within;
        const across = this.acrossEnd(needle, end, from);
        if (across !== -1) return across;
      }
      start = end;
    }
    return -1;
  }

  /** The bytes from one place to another, a copy. */
  slice(from: number, to: number): Buffer {
    return Buffer.concat([...this.pieces(from, to)]);
  }

  /** The bytes from one place to another, as they lie. */
  *pieces(from: number, to: number): Generator<Buffer> {
    let start = 0;
    for (const block of this.blocks) {
      const [first, last] = [Math.max(0, from - start), Math.min(block.length, to - start)];
      if (first < last) yield block.subarray(first, last);
      start += block.length;
    }
  }

  /** The needle may begin before the end of a block and end behind it. */
  private acrossEnd(needle: Buffer, end: number, from: number): number {
    const begin = Math.max(from, end - needle.length + 1);
    if (begin >= end) return -1;
    const within = this.slice(begin, end + needle.length - 1).indexOf(needle);
    return within === -1 ? -1 : begin + within;
  }
}
