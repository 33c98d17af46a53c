import type { AnalysedDocument } from "../../../analysis/analyseDocument.js";
import { termsOf } from "../../../analysis/words.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { DocumentWordReads } from "./documentWords.js";
import type { VocabularyRows } from "./vocabularyRows.js";

/** In how many documents one step looks for words: some milliseconds. */
const documentsPerStep = 1_000;
/** One word that is looked for counts as much as so many documents, whatever is found. */
const documentsPerWord = 5;

interface DoubtedWord {
  readonly id: number;
  readonly word: string;
  /** Documents up to this row do not hold it. */
  readonly afterRow: number;
}

/**
 * Lets words go with their last document. Words of a version that goes are doubted at once, and looked for later: to
 * ask FTS5 within a transaction would make it write out what it holds in memory.
 */
export class DoubtedWords {
  private readonly documentWords;
  private readonly statements;

  constructor(
    database: SqliteDatabase,
    private readonly vocabulary: VocabularyRows,
  ) {
    this.documentWords = new DocumentWordReads(database);
    this.statements = prepareStatements(database);
  }

  /**
   * Doubts the words of this row, which is about to go; not those of the version that takes its place, which the
   * vocabulary must have numbered. Call inside a write transaction.
   */
  add(row: number, successor: AnalysedDocument | null): void {
    const kept = new Set(successor?.words.map(({ storedAs }) => storedAs));
    for (const word of this.documentWords.of(row)) if (!kept.has(word)) this.statements.doubt.run(word);
  }

  areLeft(): boolean {
    return this.statements.left.get() === 1;
  }

  /** One bounded step, inside a write transaction that has written no document. */
  step(): void {
    for (let left = documentsPerStep; left > 0; left -= documentsPerWord) {
      const doubted = this.statements.next.get();
      if (doubted === undefined) return;
      left -= this.lookFor(doubted, left);
    }
  }

  /** Looks into this many documents that hold its stem. Returns into how many it has looked. */
  private lookFor({ id, word, afterRow }: DoubtedWord, most: number): number {
    const anyTerm = termsOf(word).map((term) => `"${term}"`);
    const rows = this.statements.rows.all(anyTerm.join(" OR "), afterRow, most);
    const stands = rows.some((row) => this.documentWords.holds(row, id));
    if (!stands && rows.length === most) this.statements.goOn.run(rows.at(-1), id);
    else this.statements.believe.run(id);
    if (!stands && rows.length < most) this.vocabulary.remove(word);
    return rows.length;
  }
}

const prepareStatements = (database: SqliteDatabase) => ({
  doubt: database.prepare<[number]>("INSERT INTO doubted_words VALUES (?, 0) ON CONFLICT DO UPDATE SET after_row = 0"),
  left: database.prepare<[], number>("SELECT EXISTS (SELECT 1 FROM doubted_words)").pluck(),
  next: database.prepare<[], DoubtedWord>(
    `SELECT words.id, words.word, doubted_words.after_row AS afterRow
     FROM doubted_words JOIN words ON words.id = doubted_words.word LIMIT 1`,
  ),
  rows: database
    .prepare<[string, number, number], number>(
      "SELECT rowid FROM terms WHERE terms MATCH ? AND rowid > CAST(? AS INTEGER) LIMIT ?",
    )
    .pluck(),
  goOn: database.prepare<[number | undefined, number]>("UPDATE doubted_words SET after_row = ? WHERE word = ?"),
  believe: database.prepare<[number]>("DELETE FROM doubted_words WHERE word = ?"),
});
