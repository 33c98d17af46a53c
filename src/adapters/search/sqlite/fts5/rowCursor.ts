import { Leaf } from "./leaf.js";

/** Where the rows of a term begin: on a page, and where they end on it. */
export interface RowsStart {
  readonly page: Uint8Array;
  readonly at: number;
  readonly end: number;
  /** The pages after this one, in order; asked for where the rows go on there. */
  following(): IterableIterator<Uint8Array>;
}

/** Among the positions of a row: the number of their column comes next. */
const columnMark = 1;

/**
 * Walks the rows that hold a term, and counts its occurrences. A row is its distance from the one before, but for the
 * first of a page, the number of its positions' bytes times two, and the positions, which may go on on further pages.
 * (SQLite, ext/fts5/fts5_index.c: "doclist", "poslist".)
 */
export class RowCursor {
  row = 0;
  /** How often the row holds the term; each time in the first column counts its weight. */
  frequency = 0;
  private readonly leaf = new Leaf();
  /** Where the rows end on this page. */
  private end = 0;
  /** Whether no row was read yet that begins on this page. */
  private isNewPage = false;
  private start: RowsStart | null = null;
  private following: IterableIterator<Uint8Array> | null = null;

  constructor(private readonly firstColumnWeight: number) {}

  /** Goes to the first row. Call {@link close} when it is not walked to its end. */
  open(start: RowsStart): void {
    this.start = start;
    this.following = null;
    this.leaf.open(start.page);
    this.leaf.at = start.at;
    this.end = start.end;
    this.isNewPage = false;
    if (start.at >= this.leaf.textEnd) this.turn();
    this.row = this.leaf.varint();
    this.count();
  }

  /** Goes to the next row; false where there is none. */
  next(): boolean {
    const { leaf } = this;
    if (!this.isNewPage && leaf.at < this.end) this.row += leaf.varint();
    else if (this.toNewPage()) this.row = leaf.varint();
    else return false;
    this.count();
    return true;
  }

  close(): void {
    this.following?.return?.();
    this.following = null;
  }

  private count(): void {
    const { leaf } = this;
    this.isNewPage = false;
    let left = leaf.varint() >> 1;
    let weight = this.firstColumnWeight;
    let isColumn = false;
    let frequency = 0;
    for (;;) {
      const { bytes } = leaf;
      const stop = Math.min(leaf.at + left, leaf.textEnd);
      left -= stop - leaf.at;
      // No number is split between pages. A byte below 128 ends one.
      for (let at = leaf.at, begins = true; at < stop; at++) {
        const byte = bytes[at] as number;
        const isMark = begins && byte === columnMark;
        begins = byte < 0x80;
        if (!begins) continue;
        if (isColumn) isColumn = false;
        else if (isMark) [isColumn, weight] = [true, 1];
        else frequency += weight;
      }
      leaf.at = stop;
      if (left === 0 || !this.turn()) break;
    }
    this.frequency = frequency;
  }

  /** Goes to the next page; false where there is none. */
  private turn(): boolean {
    this.following ??= this.start?.following() ?? null;
    const page = this.following?.next();
    if (page === undefined || page.done === true) return false;
    this.leaf.open(page.value);
    this.end = this.leaf.continuedEnd;
    this.isNewPage = true;
    return true;
  }

  /** Goes to the first row that begins on a page behind the last row's; false where the term has no more. */
  private toNewPage(): boolean {
    const { leaf } = this;
    if (!this.isNewPage && (leaf.at < leaf.textEnd || !this.turn())) return false;
    while (leaf.firstContinued === 0) if (leaf.hasTerms || !this.turn()) return false;
    leaf.at = leaf.firstContinued;
    return true;
  }
}
