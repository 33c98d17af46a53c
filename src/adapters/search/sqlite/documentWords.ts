import type { Word } from "../../../analysis/words.js";
import type { SqliteDatabase } from "../../sqlite/database.js";

/** Seven bits of a number go into a byte; its highest bit says that more follow. */
const bits = 7;
const more = 1 << bits;
const lowest = more - 1;
/** A number of 32 bits needs at most this many bytes. */
const longest = 5;

/**
 * Which words each document holds as they are written: the numbers of its distinct folded words, in few bytes each,
 * because frequent words have low numbers. Stems alone do not tell words apart that are written differently. Call what
 * changes rows inside a write transaction.
 */
export class DocumentWordRows {
  private room = new Uint8Array(4_096);
  private readonly statements;

  constructor(database: SqliteDatabase) {
    this.statements = {
      insert: database.prepare("INSERT INTO document_words VALUES (?, ?)"),
      remove: database.prepare("DELETE FROM document_words WHERE row = ?"),
    };
  }

  /** The vocabulary must have numbered these words. */
  add(row: number, words: readonly Word[]): void {
    if (this.room.length < words.length * longest) this.room = new Uint8Array(words.length * longest * 2);
    const { room } = this;
    let at = 0;
    for (const { storedAs } of words) {
      let left = storedAs;
      for (; left > lowest; left >>>= bits) room[at++] = (left & lowest) | more;
      room[at++] = left;
    }
    this.statements.insert.run(row, Buffer.from(room.buffer, 0, at));
  }

  remove(row: number): void {
    this.statements.remove.run(row);
  }
}

/** Reads which words documents hold. */
export class DocumentWordReads {
  private readonly select;

  constructor(database: SqliteDatabase) {
    this.select = database.prepare<[number], Buffer>("SELECT words FROM document_words WHERE row = ?").pluck();
  }

  /** The numbers of the words of a document; none where there is no such row. */
  of(row: number): readonly number[] {
    const numbers: number[] = [];
    this.forEach(row, (number) => void numbers.push(number));
    return numbers;
  }

  holds(row: number, word: number): boolean {
    let isHeld = false;
    this.forEach(row, (number) => void (isHeld ||= number === word));
    return isHeld;
  }

  /** Visits the numbers of the words of a document: some nanoseconds each. */
  forEach(row: number, visit: (number: number) => void): void {
    const words = this.select.get(row);
    if (words === undefined) return;
    for (let at = 0; at < words.length;) {
      let number = 0;
      let shift = 0;
      for (let byte = more; byte >= more; shift += bits) {
        byte = words[at++] as number;
        number |= (byte & lowest) << shift;
      }
      visit(number);
    }
  }
}
