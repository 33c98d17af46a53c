import { LRUCache } from "lru-cache";
import { titleWeight } from "../../../analysis/rankingRules.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Collection } from "./collection.js";
import { noRows, TermRows, type KnownRows } from "./fts5/termRows.js";
import { GrowingPostings, type Postings } from "./growingPostings.js";
import type { SearchBudget } from "./searchBudget.js";

/** In how many rows a phrase is looked for at one go: some milliseconds where all of them hold its words. */
const rowsAtOnce = 16_384;

export interface PostingsOptions {
  /** Memory for postings that were asked for lately. */
  readonly cacheBytes: number;
}

/**
 * Where terms and phrases are found, the recently used ones in memory. Postings do not depend on the person: visibility
 * is applied where they are combined, so a search costs the same for everyone. A first use of a term costs 35 ns for
 * each row that holds it; later uses cost only what was added since.
 */
export class PostingsCache {
  private readonly cache;
  private readonly termRows;
  private readonly statements;
  private numbering = -1;
  private budget: SearchBudget | null = null;
  private receive: (slot: number) => void = () => undefined;
  private lastSlot = 0;

  constructor(
    database: SqliteDatabase,
    private readonly collection: Collection,
    { cacheBytes }: PostingsOptions,
  ) {
    this.termRows = new TermRows(database, titleWeight);
    this.cache = new LRUCache<string, GrowingPostings>({
      maxSize: cacheBytes,
      sizeCalculation: ({ slots }, key) => slots.length * 5 + key.length * 2 + 300,
    });
    database.function("take", (row: number) => this.take(row));
    this.statements = prepareStatements(database);
  }

  /**
   * Call it after each refresh of the collection, in the same read transaction.
   *
   * @param budget of the search that follows.
   */
  refresh(budget: SearchBudget): void {
    this.budget = budget;
    this.termRows.refresh();
    if (this.numbering === this.collection.numbering) return;
    this.numbering = this.collection.numbering;
    this.cache.clear();
  }

  /**
   * Where a term is found; where the time is over, in its oldest documents, as far as it was read by now. Call it in
   * the read transaction of the last refresh.
   */
  ofTerm(term: string): Postings {
    return this.readOn(term);
  }

  /**
   * The same, in its oldest documents, as many as are enough. Some hundred are read between two questions whether they
   * are.
   */
  firstOf(term: string, areEnough: (postings: Postings) => boolean): Postings {
    const postings = this.cache.get(term);
    return postings !== undefined && areEnough(postings) ? postings : this.readOn(term, areEnough);
  }

  /** The same; null where the time is over and something is not known. */
  wholeOf(term: string): Postings | null {
    const postings = this.readOn(term);
    return this.isWhole(postings) ? postings : null;
  }

  /**
   * Where these neighbouring terms are found, from a row on. They are only listed. Where the time is over earlier, they
   * were looked for in less. Call it as {@link ofTerm}.
   */
  ofPhrase(terms: readonly string[], fromRow: number): { readonly postings: Postings; readonly fromRow: number } {
    const expression = quoted(terms);
    const { lastRow } = this.collection;
    const postings = this.cache.get(expression) ?? phraseAfter(lastRow);
    if (postings.upToRow < lastRow) this.listNewer(expression, postings);
    postings.upToRow = lastRow;
    while (postings.fromRow > fromRow && !this.isTimeOver()) this.listOlder(expression, postings, fromRow);
    this.keep(expression, postings);
    return { postings, fromRow: Math.max(postings.fromRow, fromRow) };
  }

  /** From where an earlier search came to: what was read stays, however far that is. */
  private readOn(term: string, areEnough?: (postings: Postings) => boolean): GrowingPostings {
    const postings = this.cache.get(term) ?? new GrowingPostings();
    if (this.isWhole(postings) || this.isTimeOver()) return postings;
    this.add(term, postings, () => this.isTimeOver() || areEnough?.(postings) === true);
    this.keep(term, postings);
    return postings;
  }

  private isWhole({ upToRow }: GrowingPostings): boolean {
    return upToRow === this.collection.lastRow;
  }

  /** Adds what is not included yet, until it is enough. */
  private add(term: string, postings: GrowingPostings, isEnough: () => boolean): void {
    const { collection, termRows } = this;
    const known = this.knownRows(postings);
    let slot = postings.size === 0 ? 0 : (postings.slots[postings.size - 1] as number);
    const visit = (row: number, frequency: number): void => {
      postings.upToRow = row;
      const found = collection.slotOf(row, slot);
      if (found < 0) return;
      slot = found;
      postings.push(slot, frequency);
    };
    // Between two rows of a commit nothing is said of commits.
    postings.upToCommit = 0;
    if (!termRows.forEach(term, known, visit, isEnough)) return;
    postings.upToRow = collection.lastRow;
    postings.upToCommit = termRows.lastCommit;
  }

  /**
   * FTS5 may number commits anew whose rows are all gone: what is known of commits holds while the last row is there. A
   * row without terms is in no commit.
   */
  private knownRows({ upToRow, upToCommit }: GrowingPostings): KnownRows {
    if (upToRow === 0) return noRows;
    return { upToRow, upToCommit: this.collection.holdsTermsOf(upToRow) ? upToCommit : 0 };
  }

  private isTimeOver(): boolean {
    if (this.budget?.isOver !== true) return false;
    this.budget.leaveOut();
    return true;
  }

  /** The cache measures what is new to it: postings that have grown are taken out and put back. */
  private keep(key: string, postings: GrowingPostings): void {
    if (postings.measuredRoom === postings.slots.length) return;
    postings.trim();
    postings.measuredRoom = postings.slots.length;
    this.cache.delete(key);
    this.cache.set(key, postings);
  }

  private listNewer(expression: string, postings: GrowingPostings): void {
    this.begin((slot) => postings.push(slot, 1));
    this.statements.rows.get(expression, postings.upToRow);
  }

  /** Looks for a phrase in some of the rows from `fromRow` on that come before those in which it was looked for. */
  private listOlder(expression: string, postings: GrowingPostings, fromRow: number): void {
    const from = Math.max(fromRow, postings.fromRow - rowsAtOnce);
    const older: number[] = [];
    this.begin((slot) => void older.push(slot));
    this.statements.rowsBetween.get(expression, from, postings.fromRow - 1);
    postings.prepend(older);
    postings.fromRow = from;
  }

  /** Before a statement that takes rows. */
  private begin(receive: (slot: number) => void): void {
    this.receive = receive;
    this.lastSlot = 0;
  }

  /** SQLite calls it for each matching row, in ascending order. Returns 0, so that it goes no further. */
  private take(row: number): 0 {
    const slot = this.collection.slotOf(row, this.lastSlot);
    if (slot < 0) return 0;
    this.lastSlot = slot;
    this.receive(slot);
    return 0;
  }
}

/** A phrase that was not looked for yet. */
function phraseAfter(row: number): GrowingPostings {
  const postings = new GrowingPostings();
  postings.upToRow = row;
  postings.fromRow = row + 1;
  return postings;
}

const quoted = (terms: readonly string[]): string => `"${terms.join(" ")}"`;

/** better-sqlite3 binds numbers as REAL, and FTS5 begins at a row only where its number is an INTEGER. */
const afterRow = "rowid > CAST(? AS INTEGER)";
const betweenRows = "rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)";

const prepareStatements = (database: SqliteDatabase) => ({
  rows: database.prepare(`SELECT 1 FROM terms WHERE terms MATCH ? AND ${afterRow} AND take(rowid)`),
  rowsBetween: database.prepare(`SELECT 1 FROM terms WHERE terms MATCH ? AND ${betweenRows} AND take(rowid)`),
});
