import { LRUCache } from "lru-cache";
import { lengthNormalisation, titleWeight } from "../../../analysis/rankingRules.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Collection } from "./collection.js";

/** BM25's k1 as FTS5 has it: how fast further occurrences of a term count less. */
const saturation = 1.2;
/** BM25's b as FTS5 has it: by how much a longer document counts less. */
const lengthNormalisationOfFts5 = 0.75;
/** Stands for "endlessly often": it makes FTS5's bm25 return (k1 + 1) times the inverse document frequency. */
const endlessly = 1e12;
/** The weight of one occurrence in a document of usual length, in the text and in the title. */
const usualWeight = 1;
const usualTitleWeight = 1.4;

/**
 * Where an expression is found, in ascending order, and the weight of each place before rarity: BM25's saturated part.
 */
export interface Postings {
  readonly slots: Int32Array;
  readonly weights: Float32Array;
  readonly size: number;
}

export interface PostingsOptions {
  /** For how many rows of one expression BM25 is computed, the newest first. The rest get the usual weight. */
  readonly weighedRows: number;
  readonly cacheBytes: number;
}

class GrowingPostings implements Postings {
  slots = new Int32Array(8);
  weights = new Float32Array(8);
  size = 0;
  /** Rows up to this one are included. */
  upToRow = 0;
  /** How many rows were taken in without BM25 since the postings were made. */
  unweighed = 0;

  push(slot: number, weight: number): void {
    if (this.size === this.slots.length) this.grow();
    this.slots[this.size] = slot;
    this.weights[this.size++] = weight;
  }

  /** Frees room that was taken for growth. */
  trim(): void {
    if (this.size * 1.25 < this.slots.length) this.resize(Math.ceil(this.size * 1.125) + 4);
  }

  private grow(): void {
    this.resize(Math.ceil(this.slots.length * 1.5));
  }

  private resize(room: number): void {
    const [slots, weights] = [this.slots, this.weights];
    this.slots = new Int32Array(room);
    this.weights = new Float32Array(room);
    this.slots.set(slots.subarray(0, this.size));
    this.weights.set(weights.subarray(0, this.size));
  }
}

/**
 * The postings of FTS5 expressions, the recently used ones in memory. They do not depend on the person: visibility is
 * applied where they are combined, so a search costs the same for everyone. A first use costs 0.5 µs for each row that
 * BM25 is computed for, and 0.1 µs for each other row; later uses cost only what was added since.
 */
export class PostingsCache {
  private readonly cache;
  private readonly statements;
  private numbering = -1;
  private receive: (slot: number, score: number) => void | "asksForRarity" = () => undefined;
  private receiveRarity: (rarity: number) => void = () => undefined;
  private lastSlot = 0;

  constructor(
    database: SqliteDatabase,
    private readonly collection: Collection,
    private readonly options: PostingsOptions,
  ) {
    this.cache = new LRUCache<string, GrowingPostings>({
      maxSize: options.cacheBytes,
      sizeCalculation: ({ slots }, expression) => slots.length * 8 + expression.length * 2 + 300,
    });
    database.function("take", { varargs: true }, (row: number, score: number) => this.take(row, score));
    database.function("takeRarity", (score: number) => this.takeRarity(score));
    this.statements = prepareStatements(database);
  }

  /** Call it inside the read transaction in which the collection was refreshed. */
  of(expression: string): Postings {
    if (this.numbering !== this.collection.numbering) this.cache.clear();
    this.numbering = this.collection.numbering;
    const known = this.cache.get(expression);
    if (known === undefined) return this.remember(expression, this.build(expression));
    if (known.upToRow === this.collection.lastRow) return known;
    this.extend(expression, known);
    return this.remember(expression, known);
  }

  private remember(expression: string, postings: GrowingPostings): Postings {
    postings.upToRow = this.collection.lastRow;
    postings.trim();
    this.cache.set(expression, postings);
    return postings;
  }

  private build(expression: string): GrowingPostings {
    const { weighedRows } = this.options;
    const postings = new GrowingPostings();
    if ((this.statements.countUpTo.get(expression, weighedRows + 1) ?? 0) <= weighedRows) {
      this.takeWeighed(expression, 0, (slot, weight) => postings.push(slot, weight));
      return postings;
    }
    this.takeRows(expression, 0, (slot) => postings.push(slot, usualWeight));
    this.reweigh(postings, (receive) =>
      this.takeRows(`{title} : (${expression})`, 0, (slot) => receive(slot, usualTitleWeight)),
    );
    this.weighNewest(expression, postings, weighedRows);
    return postings;
  }

  private extend(expression: string, postings: GrowingPostings): void {
    const { weighedRows } = this.options;
    if (postings.size <= weighedRows) {
      this.takeWeighed(expression, postings.upToRow, (slot, weight) => postings.push(slot, weight));
      return;
    }
    const before = postings.size;
    this.takeRows(expression, postings.upToRow, (slot) => postings.push(slot, usualWeight));
    postings.unweighed += postings.size - before;
    if (postings.unweighed * 2 > weighedRows) this.weighNewest(expression, postings, postings.unweighed);
  }

  /** Weighs the newest rows by BM25, at most as many as are weighed at once. */
  private weighNewest(expression: string, postings: GrowingPostings, rows: number): void {
    const first = postings.slots[postings.size - Math.min(rows, this.options.weighedRows)] as number;
    const after = (this.collection.columns.rows[first] as number) - 1;
    this.reweigh(postings, (receive) => this.takeWeighed(expression, after, receive));
    postings.unweighed = 0;
  }

  /** Gives weights to slots that are in already. Both come in ascending order. */
  private reweigh(postings: GrowingPostings, deliver: (receive: (slot: number, weight: number) => void) => void): void {
    let index = 0;
    deliver((slot, weight) => {
      while (index < postings.size && (postings.slots[index] as number) < slot) index += 1;
      if (postings.slots[index] === slot) postings.weights[index] = weight;
    });
  }

  private takeRows(expression: string, afterRow: number, receive: (slot: number) => void): void {
    this.receive = receive;
    this.lastSlot = 0;
    this.statements.rows.get(expression, afterRow);
  }

  /**
   * FTS5 multiplies by its own inverse document frequency, which counts removed rows. Dividing by it leaves the rest.
   * It is asked for with the first row: a question of its own would look into every segment of the index once more, and
   * behind each commit every word of a search asks.
   */
  private takeWeighed(expression: string, afterRow: number, receive: (slot: number, weight: number) => void): void {
    const { averageLength, columns } = this.collection;
    const weigh = (slot: number, score: number, rarity: number): void =>
      receive(slot, renormalise(-score / rarity, (columns.lengths[slot] as number) / averageLength));
    this.receive = (firstSlot, firstScore) => {
      this.receiveRarity = (rarity) => {
        this.receive = (slot, score) => weigh(slot, score, rarity);
        weigh(firstSlot, firstScore, rarity);
      };
      return "asksForRarity";
    };
    this.lastSlot = 0;
    this.statements.weighed.get(expression, afterRow);
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
    this.receiveRarity(-score / (saturation + 1));
    return 0;
  }
}

/**
 * BM25's weight with a milder normalisation by length; `length` is relative to the average length. It solves FTS5's
 * weight for the frequency. FTS5's own average also counts removed documents, which changes the frequency only
 * slightly.
 */
function renormalise(weight: number, length: number): number {
  const room = Math.max(1e-6, saturation + 1 - weight);
  const frequency = (weight * saturation * (1 - lengthNormalisationOfFts5 + lengthNormalisationOfFts5 * length)) / room;
  return (
    (frequency * (saturation + 1)) / (frequency + saturation * (1 - lengthNormalisation + lengthNormalisation * length))
  );
}

/** better-sqlite3 binds numbers as REAL, and FTS5 begins at a row only where its number is an INTEGER. */
const afterRow = "rowid > CAST(? AS INTEGER)";

const prepareStatements = (database: SqliteDatabase) => ({
  countUpTo: database
    .prepare<[string, number], number>("SELECT count(*) FROM (SELECT 1 FROM terms WHERE terms MATCH ? LIMIT ?)")
    .pluck(),
  rows: database.prepare(`SELECT 1 FROM terms WHERE terms MATCH ? AND ${afterRow} AND take(rowid)`),
  weighed: database.prepare(
    `SELECT 1 FROM terms WHERE terms MATCH ? AND ${afterRow} AND
       CASE WHEN take(rowid, bm25(terms, ${titleWeight}, 1)) THEN takeRarity(bm25(terms, ${endlessly}, ${endlessly})) END`,
  ),
});
