import type { AnalyseDocument } from "../../../../projections/search/ports.js";
import type { AnalysedDocument } from "../../../analysis/analyseDocument.js";
import type { CustomProperty } from "../../../events/document.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import { firstPartOf } from "./textParts.js";
import type { VocabularyRows } from "./vocabularyRows.js";

/** How many words one step asks for: some milliseconds. */
const wordsPerStep = 500;

interface AnalysedRow {
  readonly title: string;
  readonly customProperties: string | null;
}

/**
 * Lets words go with their last document. Words of a version that goes are doubted at once, and looked for later: to
 * ask FTS5 within a transaction would make it write out what it holds in memory.
 */
export class DoubtedWords {
  private readonly statements;

  constructor(
    database: SqliteDatabase,
    private readonly vocabulary: VocabularyRows,
    private readonly analyse: AnalyseDocument,
  ) {
    this.statements = prepareStatements(database);
  }

  /**
   * Doubts the words of this row, which is about to go; not those of the version that takes its place. Call inside a
   * write transaction.
   */
  add(row: number, successor: AnalysedDocument | null): void {
    const stored = this.statements.document.get(row);
    if (stored === undefined) return;
    const { title } = stored;
    const customProperties = JSON.parse(stored.customProperties ?? "[]") as CustomProperty[];
    const text = this.statements.parts.all(firstPartOf(row), firstPartOf(row + 1)).join("");
    const names = new Set(customProperties.map(({ name }) => name));
    const kept = new Set(successor?.words.map((word) => word.text));
    for (const { text: word } of this.analyse({ title, text, customProperties }, names).words)
      if (!kept.has(word)) this.statements.doubt.run(word);
  }

  areLeft(): boolean {
    return this.statements.left.get() === 1;
  }

  /** One bounded step, inside a write transaction that has written no document. */
  step(): void {
    for (const word of this.statements.some.all(wordsPerStep)) {
      if (this.statements.stands.get(`"${word}"`) === undefined) this.vocabulary.remove(word);
      this.statements.believe.run(word);
    }
  }
}

const prepareStatements = (database: SqliteDatabase) => ({
  document: database.prepare<[number], AnalysedRow>(
    "SELECT title, custom_properties AS customProperties FROM documents WHERE row = ?",
  ),
  parts: database
    .prepare<[number, number], string>("SELECT text FROM texts WHERE part >= ? AND part < ? ORDER BY part")
    .pluck(),
  doubt: database.prepare<[string]>("INSERT OR IGNORE INTO doubted_words VALUES (?)"),
  left: database.prepare<[], number>("SELECT EXISTS (SELECT 1 FROM doubted_words)").pluck(),
  some: database.prepare<[number], string>("SELECT word FROM doubted_words LIMIT ?").pluck(),
  stands: database.prepare<[string], unknown>("SELECT 1 FROM surfaces WHERE surfaces MATCH ? LIMIT 1"),
  believe: database.prepare<[string]>("DELETE FROM doubted_words WHERE word = ?"),
});
