import { analyseQuery } from "../../../analysis/analyseQuery.js";
import { readableTextsOf, type NamedDocument } from "../../../analysis/searchedTexts.js";
import { completionsAsWritten, readTyped, type TypedWord } from "../../../analysis/suggesting.js";
import { examinedInTurns, WrittenForms, writersOfWord } from "../../../analysis/writtenForms.js";
import type { CustomProperty } from "../../../events/document.js";
import { toSuggestions, type Suggestion } from "../../../readModels/search.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Collection } from "./collection.js";
import type { HeldWords } from "./heldWords.js";
import { OpenRows } from "./openRows.js";
import { partsPerDocument } from "./schema.js";
import { TitleLookup } from "./titleLookup.js";
import type { Visibility } from "./visibility.js";
import type { VocabularyLookup } from "./vocabularyLookup.js";
import { WordSample } from "./wordSample.js";

/** In how many of the person's documents words are counted, the newest first. */
const mostSampled = 500;
/** The spelling of so many times as many words is looked up as are asked for: some turn out to be other words. */
const spareWords = 2;

interface Candidate {
  readonly word: string;
  /** The row of a document that holds the word; null: no row is known. */
  readonly row: number | null;
}

interface ReadableRow extends NamedDocument {
  readonly title: string;
  readonly text: string | null;
  readonly customProperties: string | null;
}

const readable = ({ text, customProperties, ...row }: ReadableRow) => ({
  ...row,
  text: text ?? "",
  customProperties: JSON.parse(customProperties ?? "[]") as readonly CustomProperty[],
});

/** What a person sees. */
interface Seen {
  /** Rows of the newest documents. */
  readonly newest: readonly number[];
  readonly visibility: Visibility;
}

/**
 * Completes what is being typed from titles and words of documents that a person may see. Everything is read and
 * counted among these alone, also what bounds the work. Call it in the snapshot for which the visibility was made.
 */
export class Suggestions {
  private readonly rows;
  private readonly titles;
  private readonly sample;
  private readonly rowsWith;
  private readonly texts;

  constructor(
    database: SqliteDatabase,
    collection: Collection,
    private readonly vocabulary: VocabularyLookup,
    private readonly held: HeldWords,
  ) {
    this.rows = new OpenRows(database, collection);
    this.titles = new TitleLookup(database, this.rows);
    this.sample = new WordSample(database);
    this.rowsWith = this.rows.prepare("terms");
    this.texts = database.prepare<[number], ReadableRow>(
      `SELECT d.title, d.author, d.path, d.path_preview AS pathPreview, d.custom_properties AS customProperties, t.text
       FROM documents d LEFT JOIN texts t ON t.part = d.row * ${partsPerDocument} WHERE d.row = ?`,
    );
  }

  of(query: string, count: number, visibility: Visibility): readonly Suggestion[] {
    const typed = readTyped(query);
    if (typed === null) return [];
    this.rows.openTo(visibility);
    const newest = this.rows.newest(mostSampled);
    const titles = this.titles.of(typed, count, newest.length < mostSampled ? newest : null);
    return toSuggestions(titles, this.wordsFor(typed.completed, count, { newest, visibility }), count);
  }

  /** What was typed, with the words that most documents hold in place of the first of these that goes on in any. */
  private wordsFor(completed: readonly TypedWord[], count: number, seen: Seen): readonly string[] {
    for (const typed of completed) {
      const candidates = this.candidates(typed, count, seen);
      const forms = this.formsOf(candidates, seen.visibility);
      const words = candidates.map(({ word }) => word);
      const written = completionsAsWritten(typed, words, forms).slice(0, count);
      if (written.length > 0) return written;
    }
    return [];
  }

  /** Words of documents that hold what was typed before, then of the newest, then, the shortest first, of others. */
  private candidates(typed: TypedWord, count: number, { newest, visibility }: Seen): readonly Candidate[] {
    const found = new Map<string, Candidate>();
    const add = (candidates: readonly Candidate[]): boolean => {
      for (const candidate of candidates) {
        if (found.size >= count * spareWords) break;
        if (!found.has(candidate.word)) found.set(candidate.word, candidate);
      }
      return found.size >= count;
    };
    const before = expressionOf(typed.before);
    if (before !== null) {
      this.sample.take(this.rowsWith(before, mostSampled));
      if (add(this.sample.beginningWith(typed.beginnings))) return [...found.values()];
    }
    const isWhole = this.sample.take(newest) && newest.length < mostSampled;
    if (!add(this.sample.beginningWith(typed.beginnings)) && !isWhole) add(this.elsewhere(typed, visibility));
    return [...found.values()];
  }

  private elsewhere({ beginnings }: TypedWord, visibility: Visibility): readonly Candidate[] {
    return beginnings
      .flatMap((beginning) => this.vocabulary.completions(beginning, visibility))
      .map((word) => ({ word, row: null }));
  }

  /** How the newest documents that hold these words write them. */
  private formsOf(candidates: readonly Candidate[], visibility: Visibility): WrittenForms {
    const forms = new WrittenForms(candidates.map(({ word }) => word));
    const held = candidates.map(({ word, row }) => {
      const rows = this.held.newestRowsWith(word, writersOfWord, visibility);
      return { word, documents: [...new Set(row === null ? rows : [row, ...rows])] };
    });
    for (const [row, words] of examinedInTurns(held)) {
      if (forms.isExhausted) break;
      const found = this.texts.get(row);
      if (found !== undefined) forms.examine(readableTextsOf(readable(found)), words);
    }
    return forms;
  }
}

/** For documents that hold all words of a text but stop words; null where it holds none. */
function expressionOf(text: string): string | null {
  const { words } = analyseQuery(text);
  if (words.length === 0) return null;
  return words.map(({ terms }) => `(${terms.map((term) => `"${term}"`).join(" OR ")})`).join(" AND ");
}
