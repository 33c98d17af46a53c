import { typoKeys } from "../../../analysis/vocabulary.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { hashOfKey } from "./typoKeyHash.js";

/** Words remembered as known, two generations of it: most words of a document are, and cost a look into a set. */
const rememberedWords = 250_000;

/** The folded words that documents have held, for prefixes and typo tolerance. Call inside of a write transaction. */
export class VocabularyRows {
  private readonly insertWord;
  private readonly insertKey;
  private recent = new Set<string>();
  private older = new Set<string>();

  constructor(database: SqliteDatabase) {
    this.insertWord = database.prepare("INSERT OR IGNORE INTO words (word) VALUES (?)");
    this.insertKey = database.prepare("INSERT OR IGNORE INTO typo_keys VALUES (?, ?)");
  }

  add(words: readonly string[]): void {
    for (const word of words) if (!this.recent.has(word)) this.addUnseen(word);
  }

  /** Forgets what is known: the transaction that made it known was rolled back. */
  forget(): void {
    this.recent = new Set();
    this.older = new Set();
  }

  private addUnseen(word: string): void {
    const known = this.older.has(word);
    if (this.recent.size >= rememberedWords) {
      this.older = this.recent;
      this.recent = new Set();
    }
    this.recent.add(word);
    if (known) return;
    const { changes, lastInsertRowid } = this.insertWord.run(word);
    if (changes === 0) return;
    for (const key of typoKeys(word)) this.insertKey.run(hashOfKey(key), lastInsertRowid);
  }
}
