import { LRUCache } from "lru-cache";
import { titleWeight } from "../../../analysis/rankingRules.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { frequencyOfScore } from "./bm25.js";
import type { Collection } from "./collection.js";
import { FollowedTerms } from "./followedTerms.js";
import { averageLengthIn } from "./fts5Averages.js";
import { GrowingPostings, type Postings } from "./growingPostings.js";
import type { SearchBudget } from "./searchBudget.js";

/** Stands for "endlessly often": it makes FTS5's bm25 return (k1 + 1) times the inverse document frequency. */
const endlessly = 1e12;

/** In how many rows a phrase is looked for at one go: some milliseconds where all of them hold its words. */
const rowsAtOnce = 16_384;

export interface PostingsOptions {
  /** For how many rows of one term occurrences are counted, the newest first. In the rest it stands once. */
  readonly countedRows: number;
  readonly cacheBytes: number;
}

/**
 * The postings of FTS5 expressions, the recently used ones in memory. They do not depend on the person: visibility is
 * applied where they are combined, so a search costs the same for everyone. A first use costs 0.5 µs for each row whose
 * occurrences are counted, and 0.1 µs for each other row; later uses cost only what was added since.
 */
export class PostingsCache {
  private readonly cache;
  private readonly followed;
  private readonly statements;
  private numbering = -1;
  private budget: SearchBudget | null = null;
  private receive: (slot: number, score: number) => void | "asksForRarity" = () => undefined;
  private receiveRarity: (rarity: number) => void = () => undefined;
  private lastSlot = 0;

  constructor(
    database: SqliteDatabase,
    private readonly collection: Collection,
    private readonly options: PostingsOptions,
  ) {
    this.followed = new FollowedTerms(database, collection);
    this.cache = new LRUCache<string, GrowingPostings>({
      maxSize: options.cacheBytes,
      sizeCalculation: ({ slots }, key) => slots.length * 5 + key.length * 2 + 300,
      dispose: (_postings, key) => this.followed.remove(key),
    });
    database.function("take", { varargs: true }, (row: number, score: number) => this.take(row, score));
    database.function("takeRarity", (score: number) => this.takeRarity(score));
    this.statements = prepareStatements(database);
  }

  /**
   * Call it after each refresh of the collection, in the same read transaction.
   *
   * @param budget of the search that follows.
   */
  refresh(budget: SearchBudget): void {
    this.budget = budget;
    if (this.numbering === this.collection.numbering) return this.followed.takeAdditions();
    this.numbering = this.collection.numbering;
    this.cache.clear();
    this.followed.restart();
  }

  /**
   * Where a term is found; where the time is over, as far as that is known. Call it in the read transaction of the last
   * refresh.
   */
  ofTerm(term: string): Postings {
    return this.wholeOf(term) ?? this.cache.get(term) ?? new GrowingPostings();
  }

  /** The same; null where the time is over and something is not known. */
  wholeOf(term: string): Postings | null {
    const known = this.cache.get(term);
    const isCurrent = known !== undefined && this.followed.isCurrent(known);
    if (!isCurrent && this.isTimeOver()) return null;
    const postings = isCurrent ? known : this.upToDate(quoted([term]), known);
    this.keep(term, postings);
    if (this.cache.has(term)) this.followed.add(term, postings);
    return postings;
  }

  /**
   * Where these neighbouring terms are found, from a row on. They are only listed. Where the time is over earlier, they
   * were looked for in less. Call it as {@link ofTerm}.
   */
  ofPhrase(terms: readonly string[], fromRow: number): { readonly postings: Postings; readonly fromRow: number } {
    const expression = quoted(terms);
    const { lastRow } = this.collection;
    const postings = this.cache.get(expression) ?? phraseAfter(lastRow);
    if (postings.upToRow < lastRow) this.list(expression, postings);
    postings.upToRow = lastRow;
    while (postings.fromRow > fromRow && !this.isTimeOver()) this.listOlder(expression, postings, fromRow);
    this.keep(expression, postings);
    return { postings, fromRow: Math.max(postings.fromRow, fromRow) };
  }

  private upToDate(expression: string, known: GrowingPostings | undefined): GrowingPostings {
    const postings = known ?? new GrowingPostings();
    if (known === undefined) this.build(expression, postings);
    else if (known.upToRow < this.collection.lastRow) this.extend(expression, postings);
    postings.upToRow = this.collection.lastRow;
    return postings;
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

  private list(expression: string, postings: GrowingPostings): void {
    this.takeRows(expression, postings.upToRow, (slot) => postings.push(slot, 1));
  }

  /** Looks for a phrase in some of the rows from `fromRow` on that come before those in which it was looked for. */
  private listOlder(expression: string, postings: GrowingPostings, fromRow: number): void {
    const from = Math.max(fromRow, postings.fromRow - rowsAtOnce);
    const older: number[] = [];
    this.receive = (slot) => void older.push(slot);
    this.lastSlot = 0;
    this.statements.rowsBetween.get(expression, from, postings.fromRow - 1);
    postings.prepend(older);
    postings.fromRow = from;
  }

  private build(expression: string, postings: GrowingPostings): void {
    const { countedRows } = this.options;
    if ((this.statements.countUpTo.get(expression, countedRows + 1) ?? 0) <= countedRows) {
      this.takeCounted(expression, 0, (slot, frequency) => postings.push(slot, frequency));
      return;
    }
    this.list(expression, postings);
    this.recount(postings, (receive) =>
      this.takeRows(`{title} : (${expression})`, 0, (slot) => receive(slot, titleWeight)),
    );
    this.countNewest(expression, postings);
  }

  private extend(expression: string, postings: GrowingPostings): void {
    const { countedRows } = this.options;
    if (postings.size <= countedRows) {
      this.takeCounted(expression, postings.upToRow, (slot, frequency) => postings.push(slot, frequency));
      return;
    }
    const before = postings.size;
    this.list(expression, postings);
    postings.uncounted += postings.size - before;
    if (postings.uncounted * 2 > countedRows) this.countNewest(expression, postings);
  }

  /** Counts occurrences in the newest rows, as many as are counted at once. */
  private countNewest(expression: string, postings: GrowingPostings): void {
    const first = postings.slots[postings.size - Math.min(postings.size, this.options.countedRows)] as number;
    const after = (this.collection.columns.rows[first] as number) - 1;
    this.recount(postings, (receive) => this.takeCounted(expression, after, receive));
    postings.uncounted = 0;
  }

  /** Gives frequencies to slots that are in already. Both come in ascending order. */
  private recount(
    postings: GrowingPostings,
    deliver: (receive: (slot: number, frequency: number) => void) => void,
  ): void {
    let index = 0;
    deliver((slot, frequency) => {
      while (index < postings.size && (postings.slots[index] as number) < slot) index += 1;
      if (postings.slots[index] === slot) postings.frequencies[index] = frequency;
    });
  }

  private takeRows(expression: string, afterRow: number, receive: (slot: number) => void): void {
    this.receive = receive;
    this.lastSlot = 0;
    this.statements.rows.get(expression, afterRow);
  }

  /**
   * FTS5 multiplies by its own inverse document frequency. It is asked for with the first row: a question of its own
   * would look into every segment of the index once more.
   */
  private takeCounted(expression: string, afterRow: number, receive: (slot: number, frequency: number) => void): void {
    const { lengths } = this.collection.columns;
    const averageLength = this.averageLength();
    const count = (slot: number, score: number, rarity: number): void =>
      receive(slot, frequencyOfScore(score, rarity, (lengths[slot] as number) / averageLength));
    this.receive = (firstSlot, firstScore) => {
      this.receiveRarity = (rarity) => {
        this.receive = (slot, score) => count(slot, score, rarity);
        count(firstSlot, firstScore, rarity);
      };
      return "asksForRarity";
    };
    this.lastSlot = 0;
    this.statements.counted.get(expression, afterRow);
  }

  /** How many terms a row has on average, as FTS5 has it: it goes on counting rows that are gone. */
  private averageLength(): number {
    const averages = this.statements.averages.get();
    return averages === undefined ? 1 : averageLengthIn(averages);
  }

  /** SQLite calls it for each matching row, in ascending order. Returns 1 where the rarity has to follow. */
  private take(row: number, score: number): 0 | 1 {
    const slot = this.collection.slotOf(row, this.lastSlot);
    if (slot < 0) return 0;
    this.lastSlot = slot;
    return this.receive(slot, score) === "asksForRarity" ? 1 : 0;
  }

  /** Returns 0, as every row ends: so that it goes no further. */
  private takeRarity(score: number): 0 {
    this.receiveRarity(score);
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
  countUpTo: database
    .prepare<[string, number], number>("SELECT count(*) FROM (SELECT 1 FROM terms WHERE terms MATCH ? LIMIT ?)")
    .pluck(),
  rows: database.prepare(`SELECT 1 FROM terms WHERE terms MATCH ? AND ${afterRow} AND take(rowid)`),
  rowsBetween: database.prepare(`SELECT 1 FROM terms WHERE terms MATCH ? AND ${betweenRows} AND take(rowid)`),
  averages: database.prepare<[], Buffer>("SELECT block FROM terms_data WHERE id = 1").pluck(),
  counted: database.prepare(
    `SELECT 1 FROM terms WHERE terms MATCH ? AND ${afterRow} AND
       CASE WHEN take(rowid, bm25(terms, ${titleWeight}, 1)) THEN takeRarity(bm25(terms, ${endlessly}, ${endlessly})) END`,
  ),
});
