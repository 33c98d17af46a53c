import type { SqliteDatabase } from "../../../sqlite/database.js";
import { Leaf } from "./leaf.js";
import { RowCursor, type RowsStart, type RowVisitor, segmentsIn, segmentsRecord, type Segment } from "./rowCursor.js";

/** What is known already. */
export interface KnownRows {
  /** Rows up to this one. */
  readonly upToRow: number;
  /** No row behind it is of this commit or an earlier one. */
  readonly upToCommit: number;
}

/** Nothing is known. */
export const noRows: KnownRows = { upToRow: 0, upToCommit: 0 };

interface Snapshot {
  readonly segments: readonly Segment[];
  readonly lastCommit: number;
}

/** Looks up where the rows of a term begin in a segment; null: it holds none. */
type StartLookup = () => RowsStart | null;

/** Before a term of the table itself; other characters stand before its beginnings. */
const mainIndex = "0";
/** A page's row is its segment's number, moved by so many bits, and its own. */
const pageBits = 37;

/**
 * Reads which rows of the table `terms` hold a term, and how often, from FTS5's own pages: some 25 ns a row. FTS5 tells
 * it through `bm25` alone, which takes twenty times as long. Rows that are removed are told as well. What is relied on
 * of FTS5's file format: docs/adr/0054-postings-from-fts5-pages.md.
 */
export class TermRows {
  private snapshot: Snapshot | null = null;
  /** By the commit up to which all is known: terms were last read behind different ones. */
  private readonly selections = new Map<number, readonly Segment[]>();
  private readonly leaf = new Leaf();
  private readonly cursor: RowCursor;
  private readonly statements;

  /** @param firstColumnWeight how many occurrences one in the first column counts. */
  constructor(database: SqliteDatabase, firstColumnWeight: number) {
    this.cursor = new RowCursor(firstColumnWeight);
    this.statements = prepareStatements(database);
  }

  /** Call it at the beginning of each read transaction. */
  refresh(): void {
    this.snapshot = null;
    this.selections.clear();
  }

  /** The commit of the newest rows. */
  get lastCommit(): number {
    return this.current().lastCommit;
  }

  /**
   * Visits the rows that hold a term, but for those that are known, and returns true. Behind each page of some hundred
   * rows and before each further segment it asks whether that is enough, and then returns false: no row behind the last
   * one was visited.
   */
  forEach(term: string, known: KnownRows, visit: RowVisitor, isEnough = () => false): boolean {
    const { cursor } = this;
    let newest = 0;
    // The search goes on past the known rows until there is a new one.
    const mayStop = (): boolean => newest > known.upToRow && isEnough();
    for (const lookUp of this.startsOf(Buffer.from(mainIndex + term), known)) {
      if (mayStop()) return false;
      const start = lookUp();
      if (start === null) continue;
      cursor.open(start);
      for (let isMore = true; isMore;) {
        isMore = cursor.visitPage(known.upToRow, visit);
        newest = cursor.row;
        if (!isMore || !mayStop()) continue;
        cursor.close();
        return false;
      }
      cursor.close();
    }
    return true;
  }

  /**
   * Where the term's rows begin in each segment with unknown rows, the oldest first. The first segment alone may hold
   * known rows, too.
   */
  private startsOf(term: Buffer, { upToRow, upToCommit }: KnownRows): readonly StartLookup[] {
    const segments = this.segmentsAfter(upToCommit);
    if (upToRow === 0) return segments.map((segment) => () => this.startIn(segment, term));
    return this.startsBehind(upToRow, segments, term).map((start) => () => start);
  }

  private startsBehind(row: number, segments: readonly Segment[], term: Buffer): readonly RowsStart[] {
    const starts: RowsStart[] = [];
    for (const segment of segments.toReversed()) {
      const start = this.startIn(segment, term);
      if (start === null) continue;
      starts.push(start);
      if (this.firstRow(start) <= row) break;
    }
    return starts.toReversed();
  }

  private segmentsAfter(commit: number): readonly Segment[] {
    const known = this.selections.get(commit);
    if (known !== undefined) return known;
    const segments = this.current().segments.filter(({ lastCommit }) => lastCommit > commit);
    this.selections.set(commit, segments);
    return segments;
  }

  private current(): Snapshot {
    if (this.snapshot !== null) return this.snapshot;
    const record = this.statements.structure.get(segmentsRecord);
    if (record === undefined) throw new Error("The full-text index holds no record of its segments.");
    const segments = segmentsIn(record);
    return (this.snapshot = { segments, lastCommit: Math.max(0, ...segments.map(({ lastCommit }) => lastCommit)) });
  }

  private startIn({ number, firstPage, lastPage }: Segment, term: Buffer): RowsStart | null {
    const at = Math.max(firstPage, this.statements.listed.get(number, term) ?? 0);
    const page = this.statements.page.get(number, at);
    if (page === undefined) return null;
    this.leaf.open(page);
    const place = this.leaf.find(term);
    if (place === null) return null;
    return { page, ...place, following: () => this.statements.pages.iterate(number, at + 1, number, lastPage) };
  }

  private firstRow(start: RowsStart): number {
    this.cursor.open(start);
    this.cursor.close();
    return this.cursor.row;
  }
}

const rowOfPage = `(CAST(? AS INTEGER) << ${pageBits}) + CAST(? AS INTEGER)`;

const prepareStatements = (database: SqliteDatabase) => ({
  structure: database.prepare<[number], Buffer>("SELECT block FROM terms_data WHERE id = ?").pluck(),
  listed: database
    .prepare<[number, Buffer], number>(
      "SELECT pgno >> 1 FROM terms_idx WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1",
    )
    .pluck(),
  page: database.prepare<[number, number], Buffer>(`SELECT block FROM terms_data WHERE id = ${rowOfPage}`).pluck(),
  pages: database
    .prepare<[number, number, number, number], Buffer>(
      `SELECT block FROM terms_data WHERE id BETWEEN ${rowOfPage} AND ${rowOfPage} ORDER BY id`,
    )
    .pluck(),
});
