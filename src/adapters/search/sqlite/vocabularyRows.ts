import { endingOf, middlesOf } from "../../../analysis/compoundWords.js";
import { typoKeys } from "../../../analysis/vocabulary.js";
import { newStoreMark, type Word } from "../../../analysis/words.js";
import type { SqliteDatabase } from "../../sqlite/database.js";

/** So many words that were taken out are remembered before all marks are given up. */
const mostRemoved = 10_000;

/**
 * The folded words that documents hold, for prefixes, parts and typo tolerance. Call inside a write transaction. Words
 * that are known to be stored carry its mark and their number: most words of a document do, and cost nothing.
 */
export class VocabularyRows {
  private readonly insertWord;
  private readonly findWord;
  private readonly insertKey;
  private readonly removeWord;
  private readonly removeKey;
  private readonly insertMiddle;
  private readonly removeMiddle;
  private mark = newStoreMark();
  /**
   * Words that were taken out since there is this mark. Documents on their way may hold them with it, and the analysis
   * may have forgotten them.
   */
  private readonly removed = new Set<string>();

  constructor(database: SqliteDatabase) {
    this.insertWord = database.prepare("INSERT OR IGNORE INTO words (word, ending) VALUES (?, ?)");
    this.findWord = database.prepare<[string], number>("SELECT id FROM words WHERE word = ?").pluck();
    this.insertKey = database.prepare("INSERT OR IGNORE INTO typo_keys VALUES (?, ?)");
    this.removeWord = database.prepare<[string], number>("DELETE FROM words WHERE word = ? RETURNING id").pluck();
    this.removeKey = database.prepare("DELETE FROM typo_keys WHERE key = ? AND word = ?");
    this.insertMiddle = database.prepare("INSERT OR IGNORE INTO word_middles VALUES (?, ?)");
    this.removeMiddle = database.prepare("DELETE FROM word_middles WHERE middle = ? AND word = ?");
  }

  /** Afterwards `storedAs` of each of these words is its number. */
  add(words: readonly Word[]): void {
    for (const word of words) {
      if (word.storedIn === this.mark && !this.removed.has(word.text)) continue;
      word.storedAs = this.store(word.text);
      word.storedIn = this.mark;
    }
  }

  /** Takes out a word that stands in no document any more. */
  remove(word: string): void {
    const id = this.removeWord.get(word);
    if (id !== undefined) {
      for (const key of typoKeys(word)) this.removeKey.run(hashOfKey(key), id);
      for (const middle of middlesOf(word)) this.removeMiddle.run(middle, id);
    }
    this.removed.add(word);
    if (this.removed.size > mostRemoved) this.forget();
  }

  /** Gives up all marks: the transaction that set them was rolled back, or too much was taken out since. */
  forget(): void {
    this.mark = newStoreMark();
    this.removed.clear();
  }

  private store(word: string): number {
    const { changes, lastInsertRowid } = this.insertWord.run(word, endingOf(word));
    if (changes === 0) return this.findWord.get(word) as number;
    for (const key of typoKeys(word)) this.insertKey.run(hashOfKey(key), lastInsertRowid);
    for (const middle of middlesOf(word)) this.insertMiddle.run(middle, lastInsertRowid);
    return Number(lastInsertRowid);
  }
}

/**
 * A typo key as 32 bits (FNV-1a over its UTF-16 units). It keeps the index of keys small; a collision costs a
 * comparison.
 */
export function hashOfKey(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return hash | 0;
}
