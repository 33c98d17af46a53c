import type { SqliteDatabase } from "../../../sqlite/database.js";
import { Leaf } from "./leaf.js";
import { RowCursor, type RowsStart, type RowVisitor } from "./rowCursor.js";
import { segmentsIn, segmentsRecord, type Segment } from "./segments.js";

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

/** Segments that are to be looked into, with their numbers as JSON. */
interface Selection {
  readonly segments: readonly Segment[];
  readonly numbers: string;
}

/** In a segment: where a term stands if anywhere; null: before what is listed. */
interface ListedPage {
  readonly page: number | null;
}

/** Before a term of the table itself; other characters stand before its beginnings. */
const mainIndex = "0";
/** A page's row is its segment's number, moved by so many bits, and its own. */
const pageBits = 37;

/**
 * Reads which rows of the table `terms` hold a term, and how often, from FTS5's own pages: some 25 ns a row. FTS5 tells
 * it through `bm25` alone, which takes twenty times as long. Rows that are removed are told as well. What is relied on of
 * FTS5's file format: docs/adr/0054-postings-from-fts5-pages.md.
 */
export class TermRows {
  private snapshot: Snapshot | null = null;
  /** By the commit up to which all is known: terms were last read behind different ones. */
  private readonly selections = new Map<number, Selection>();
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
   * Visits the rows that hold a term, but for those that are known, and returns true. Behind a page of some hundred rows
   * it asks whether the time is over, and then returns false: no row behind the last one was visited.
   */
  forEach(term: string, known: KnownRows, visit: RowVisitor, isTimeOver = () => false): boolean {
    const { cursor } = this;
    for (const start of this.startsOf(term, known)) {
      cursor.open(start);
      while (cursor.visitPage(known.upToRow, visit)) {
        // Whoever leaps over what is known goes on until there is something new.
        if (cursor.row <= known.upToRow || !isTimeOver()) continue;
        cursor.close();
        return false;
      }
      cursor.close();
    }
    return true;
  }

  /** In each segment with rows that are not known, the oldest first. Of these the first one alone may hold others, too. */
  private startsOf(term: string, { upToRow, upToCommit }: KnownRows): readonly RowsStart[] {
    const { segments, numbers } = this.segmentsAfter(upToCommit);
    if (segments.length === 0) return [];
    const key = Buffer.from(mainIndex + term);
    const pages = this.statements.listed.all(key, numbers);
    const starts: RowsStart[] = [];
    for (let index = segments.length - 1; index >= 0; index--) {
      const start = this.startIn(segments[index] as Segment, pages[index] as ListedPage, key);
      if (start === null) continue;
      starts.push(start);
      if (upToRow > 0 && this.firstRow(start) <= upToRow) break;
    }
    return starts.toReversed();
  }

  private segmentsAfter(afterCommit: number): Selection {
    const known = this.selections.get(afterCommit);
    if (known !== undefined) return known;
    const segments = this.current().segments.filter(({ lastCommit }) => lastCommit > afterCommit);
    const selection = { segments, numbers: JSON.stringify(segments.map(({ number }) => number)) };
    this.selections.set(afterCommit, selection);
    return selection;
  }

  private current(): Snapshot {
    if (this.snapshot !== null) return this.snapshot;
    const record = this.statements.structure.get(segmentsRecord);
    if (record === undefined) throw new Error("The full-text index holds no record of its segments.");
    const segments = segmentsIn(record);
    return (this.snapshot = { segments, lastCommit: Math.max(0, ...segments.map(({ lastCommit }) => lastCommit)) });
  }

  private startIn({ number, firstPage, lastPage }: Segment, listed: ListedPage, term: Buffer): RowsStart | null {
    const at = Math.max(firstPage, listed.page ?? 0);
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
  listed: database.prepare<[Buffer, string], ListedPage>(
    `SELECT (
       SELECT pgno >> 1 FROM terms_idx WHERE segid = value AND term <= ? ORDER BY term DESC LIMIT 1
     ) AS page FROM json_each(?)`,
  ),
  page: database.prepare<[number, number], Buffer>(`SELECT block FROM terms_data WHERE id = ${rowOfPage}`).pluck(),
  pages: database
    .prepare<[number, number, number, number], Buffer>(
      `SELECT block FROM terms_data WHERE id BETWEEN ${rowOfPage} AND ${rowOfPage} ORDER BY id`,
    )
    .pluck(),
});
