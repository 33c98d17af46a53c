import type { AnalysedDocument } from "../../../analysis/analyseDocument.js";
import type { Language } from "../../../shared/language.js";
import { newStoreMark, type Word } from "../../../analysis/words.js";
import type { SqliteDatabase } from "../../sqlite/database.js";

/** The terms of this many rows are kept: what streams in between two searches. */
const keptRows = 4_096;
/** A commit with more occurrences than this, of very long documents, is left out. */
const mostOccurrences = 500_000;
/** An occurrence is two numbers in 32 bits. A term that occurs more often weighs no more. */
const mostFrequent = 0xff;

/** Which terms the rows of one commit hold. */
export interface RecentTerms {
  readonly firstRow: number;
  readonly lastRow: number;
  /** A term may be named more than once: several words of a document may have it. */
  readonly terms: readonly string[];
  /** For each row, in order, how many occurrences follow, and then these: {@link termOf} and {@link frequencyOf}. */
  readonly occurrences: Uint32Array;
}

/** Which of the terms it is. */
export const termOf = (occurrence: number): number => occurrence >>> 8;
/** How often the row holds it; an occurrence in the title counts `titleWeight`. */
export const frequencyOf = (occurrence: number): number => occurrence & mostFrequent;

const occurrenceOf = (term: number, frequency: number): number =>
  ((term << 8) | Math.min(frequency, mostFrequent)) >>> 0;

/**
 * Keeps the terms of the newest documents, so that a reader can add them to what it remembers. Call inside a write
 * transaction: {@link begin}, {@link add} for each new row in order, {@link save}.
 */
export class RecentTermRows {
  private terms: string[] = [];
  private occurrences = new Uint32Array(65_536);
  private size = 0;
  private mark = newStoreMark();
  private firstRow = 0;
  private readonly statements;

  constructor(database: SqliteDatabase) {
    this.statements = {
      insert: database.prepare("INSERT INTO recent_terms VALUES (?, ?, ?, ?)"),
      oldest: database.prepare<[], number | null>("SELECT min(last_row) FROM recent_terms").pluck(),
      // One after the other, by their keys: see `Counters`.
      remove: database.prepare("DELETE FROM recent_terms WHERE last_row = ?"),
    };
  }

  /** @param nextRow the row of the next document. */
  begin(nextRow: number): void {
    this.mark = newStoreMark();
    this.terms = [];
    this.size = 0;
    this.firstRow = nextRow;
  }

  add({ words, frequencies, language }: AnalysedDocument): void {
    const start = this.size;
    if (start > mostOccurrences) return;
    this.makeRoomFor(words.length + 1);
    this.size += 1;
    for (let index = 0; index < words.length; index++)
      this.occurrences[this.size++] = occurrenceOf(
        this.numberOf(words[index] as Word, language),
        frequencies[index] as number,
      );
    this.occurrences[start] = this.size - start - 1;
  }

  /** @param nextRow the row of the next document. */
  save(nextRow: number): void {
    const lastRow = nextRow - 1;
    if (lastRow < this.firstRow) return;
    if (this.size <= mostOccurrences) {
      const occurrences = Buffer.from(this.occurrences.buffer, 0, this.size * Uint32Array.BYTES_PER_ELEMENT);
      this.statements.insert.run(lastRow, this.firstRow, this.terms.join(" "), occurrences);
    }
    this.removeUpTo(lastRow - keptRows);
  }

  /** Most words carry their term's number from an earlier document of this commit. */
  private numberOf(word: Word, language: Language | null): number {
    if (word.numberedBy === this.mark && word.numberedFor === language) return word.number;
    word.numberedBy = this.mark;
    word.numberedFor = language;
    return (word.number = this.terms.push(word.termIn(language)) - 1);
  }

  private makeRoomFor(more: number): void {
    if (this.size + more <= this.occurrences.length) return;
    const larger = new Uint32Array(Math.max(this.size + more, this.occurrences.length * 2));
    larger.set(this.occurrences);
    this.occurrences = larger;
  }

  private removeUpTo(row: number): void {
    for (;;) {
      const oldest = this.statements.oldest.get() ?? null;
      if (oldest === null || oldest > row) return;
      this.statements.remove.run(oldest);
    }
  }
}

interface RecentTermsRow {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly terms: string;
  readonly occurrences: Buffer;
}

/**
 * The terms of the rows after one, up to another, in ascending order; null where those of any row are not kept, or where
 * it is too much to be read at one go.
 */
export function recentTermsIn(database: SqliteDatabase): (afterRow: number, upToRow: number) => RecentTerms[] | null {
  const select = database.prepare<[number], RecentTermsRow>(
    `SELECT first_row AS firstRow, last_row AS lastRow, terms, occurrences FROM recent_terms
     WHERE last_row > ? ORDER BY last_row`,
  );
  return (afterRow, upToRow) => {
    if (upToRow - afterRow > keptRows) return null;
    const recent: RecentTerms[] = [];
    let [next, size] = [afterRow + 1, 0];
    for (const { firstRow, lastRow, ...row } of select.iterate(afterRow)) {
      const occurrences = new Uint32Array(new Uint8Array(row.occurrences).buffer);
      size += occurrences.length;
      if (firstRow !== next || size > mostOccurrences) return null;
      next = lastRow + 1;
      recent.push({ firstRow, lastRow, terms: row.terms.split(" "), occurrences });
    }
    return next === upToRow + 1 ? recent : null;
  };
}
