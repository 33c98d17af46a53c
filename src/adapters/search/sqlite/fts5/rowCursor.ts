import { Leaf } from "./leaf.js";

/** Where the rows of a term begin: on a page, and where they end on it. */
export interface RowsStart {
  readonly page: Uint8Array;
  readonly at: number;
  readonly end: number;
  /** The pages after this one, in order; asked for where the rows go on there. */
  following(): IterableIterator<Uint8Array>;
}

/** Called for each row, in ascending order, with how often it holds the term. */
export type RowVisitor = (row: number, frequency: number) => void;

/** Among the positions of a row: the number of their column comes next. */
const columnMark = 1;
/** What that number takes: no table has more than 128 columns. */
const columnBytes = 1;

/**
 * Walks the rows that hold a term, and counts its occurrences; each one in the first column counts its weight. A row is
 * its distance from the one before, but for the first of a page, the number of its positions' bytes times two, and the
 * positions, which may go on on further pages. (SQLite, ext/fts5/fts5_index.c: "doclist", "poslist".)
 */
export class RowCursor {
  /** The row it has come to. */
  row = 0;
  private readonly leaf = new Leaf();
  /** Where the rows end on this page. */
  private end = 0;
  /** Whether no row was read yet that begins on this page. */
  private isNewPage = false;
  private start: RowsStart | null = null;
  private following: IterableIterator<Uint8Array> | null = null;

  constructor(private readonly firstColumnWeight: number) {}

  /** Goes to the first row. Call {@link close} when the rows are not walked to their end. */
  open(start: RowsStart): void {
    const { leaf } = this;
    this.start = start;
    this.following = null;
    leaf.open(start.page);
    leaf.at = start.at;
    this.end = start.end;
    this.isNewPage = false;
    if (start.at >= leaf.textEnd) this.toNewPage();
    const { at } = leaf;
    this.row = leaf.varint();
    leaf.at = at;
  }

  /**
   * Visits the next rows, those that begin on the same page, but for rows up to `after`: their positions are leapt
   * over. Returns whether there are more.
   */
  visitPage(after: number, visit: RowVisitor): boolean {
    const { leaf, end, firstColumnWeight } = this;
    const { bytes, textEnd } = leaf;
    this.isNewPage = false;
    let row = 0;
    while (!this.isNewPage && leaf.at < end) {
      row += leaf.varint();
      const length = leaf.varint() >> 1;
      const from = leaf.at;
      if (from + length > textEnd) {
        const positions = this.acrossPages(length);
        if (row > after) visit(row, occurrencesIn(positions, 0, length, firstColumnWeight));
      } else {
        leaf.at = from + length;
        if (row > after) visit(row, occurrencesIn(bytes, from, leaf.at, firstColumnWeight));
      }
    }
    this.row = row;
    return this.toNewPage();
  }

  close(): void {
    this.following?.return?.();
    this.following = null;
  }

  /** The next bytes, of positions that go on on further pages. */
  private acrossPages(length: number): Uint8Array {
    const { leaf } = this;
    const positions = new Uint8Array(length);
    let taken = 0;
    do {
      const part = leaf.bytes.subarray(leaf.at, Math.min(leaf.at + length - taken, leaf.textEnd));
      positions.set(part, taken);
      taken += part.length;
      leaf.at += part.length;
    } while (taken < length && this.turn());
    return positions;
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

/**
 * How many positions these bytes are; one in the first column counts its weight. A byte of 128 or more goes on in the
 * next.
 */
function occurrencesIn(bytes: Uint8Array, from: number, to: number, firstColumnWeight: number): number {
  let weight = firstColumnWeight;
  let occurrences = 0;
  let at = from;
  while (at < to) {
    let byte = bytes[at++] as number;
    if (byte === columnMark) {
      at += columnBytes;
      weight = 1;
      continue;
    }
    while (byte >= 0x80) byte = bytes[at++] as number;
    occurrences += weight;
  }
  return occurrences;
}

/**
 * A segment of an FTS5 index: terms in order, each with the rows that hold it, on numbered pages. It never changes but
 * for being trimmed from its beginning while it is merged with others.
 */
export interface Segment {
  readonly number: number;
  /** Terms that stood on earlier pages were moved to another segment. */
  readonly firstPage: number;
  readonly lastPage: number;
  /** The commits of its oldest and of its newest rows: a number that grows as long as the newest rows are there. */
  readonly firstCommit: number;
  readonly lastCommit: number;
}

/** The row of an FTS5 table's `_data` that lists its segments. */
export const segmentsRecord = 10;

const cookieBytes = 4;
/** Follows the cookie where segments tell the origin of their rows: in tables with `contentless_delete`. */
const originsMark = 0xff000001;

/**
 * The segments with terms of an FTS5 table with `contentless_delete`, those of the oldest rows first, from its record
 * of them. No two of them hold the same row for the same term. (SQLite, ext/fts5/fts5_index.c: "structure record".)
 */
export function segmentsIn(record: Buffer): readonly Segment[] {
  if (record.readUInt32BE(cookieBytes) !== originsMark)
    throw new Error("The full-text index does not tell the age of its segments.");
  const numbers = varintsFrom(record, cookieBytes * 2);
  const next = (): number => numbers.next().value ?? 0;
  const skip = (count: number): void => void Array.from({ length: count }, next);
  const levels = next();
  skip(2);
  const segments: Segment[] = [];
  for (let level = 0; level < levels; level++) {
    skip(1);
    for (let left = next(); left > 0; left--) {
      segments.push({
        number: next(),
        firstPage: next(),
        lastPage: next(),
        firstCommit: next(),
        lastCommit: next(),
      });
      skip(3);
    }
  }
  // All terms of one without a last page were moved. What they left is there until the merge has ended.
  return segments.filter(({ lastPage }) => lastPage > 0).sort((a, b) => a.firstCommit - b.firstCommit);
}

/** Numbers of one to nine bytes: a ninth byte gives eight bits, any other gives seven. */
function* varintsFrom(bytes: Uint8Array, from: number): Generator<number, undefined> {
  let value = 0;
  let taken = 0;
  for (const byte of bytes.subarray(from)) {
    taken += 1;
    value = taken === 9 ? value * 256 + byte : value * 128 + (byte & 0x7f);
    if (byte >= 0x80 && taken < 9) continue;
    yield value;
    value = 0;
    taken = 0;
  }
}
