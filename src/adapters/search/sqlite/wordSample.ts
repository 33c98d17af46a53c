import type { SqliteDatabase } from "../../sqlite/database.js";
import { DocumentWordReads } from "./documentWords.js";

/** After so many words no further document is read: a millisecond. */
const mostWords = 100_000;
const lastCharacter = "\u{10FFFF}";

/** A word that some documents hold. */
interface SampledWord {
  readonly word: string;
  readonly documents: number;
  /** The first of them. */
  readonly row: number;
}

/** Counts in how many of some documents words stand. */
export class WordSample {
  /** By the word's number: how many documents hold it, and which is the first of them. */
  private counts = new Int32Array(0);
  private first = new Int32Array(0);
  private counted: number[] = [];
  private rows: readonly number[] = [];
  private readonly documentWords;
  private readonly highest;
  private readonly between;

  constructor(database: SqliteDatabase) {
    this.documentWords = new DocumentWordReads(database);
    this.highest = database.prepare<[], number | null>("SELECT max(id) FROM words").pluck();
    database.function("sampled", (number: number) => ((this.counts[number] ?? 0) > 0 ? 1 : 0));
    this.between = database
      .prepare<[string, string]>("SELECT word, id FROM words WHERE word > ? AND word < ? AND sampled(id)")
      .raw();
  }

  /** Counts the words of these documents, as far as that is cheap. Returns false where some were left out. */
  take(rows: readonly number[]): boolean {
    for (const number of this.counted) this.counts[number] = 0;
    this.counted = [];
    this.rows = rows;
    this.makeRoom();
    let words = 0;
    let index = 0;
    const count = (number: number): void => {
      words += 1;
      if (this.counts[number] === 0) {
        this.counted.push(number);
        this.first[number] = index;
      }
      this.counts[number] = (this.counts[number] as number) + 1;
    };
    for (const row of rows) {
      if (words >= mostWords) return false;
      this.documentWords.forEach(row, count);
      index += 1;
    }
    return true;
  }

  /** Counted words that begin with one of these: those of most documents first, and of equals the shorter. */
  beginningWith(beginnings: readonly string[]): readonly SampledWord[] {
    const found = new Map<string, SampledWord>();
    for (const beginning of beginnings)
      for (const held of this.between.all(beginning, beginning + lastCharacter)) {
        const [word, number] = held as [string, number];
        const row = this.rows[this.first[number] as number] as number;
        found.set(word, { word, documents: this.counts[number] as number, row });
      }
    return [...found.values()].sort(
      (a, b) => b.documents - a.documents || a.word.length - b.word.length || (a.word < b.word ? -1 : 1),
    );
  }

  private makeRoom(): void {
    const most = this.highest.get() ?? 0;
    if (this.counts.length > most) return;
    this.counts = new Int32Array(Math.ceil(most * 1.25) + 1);
    this.first = new Int32Array(this.counts.length);
  }
}
