import { analyseQuery } from "../../../analysis/analyseQuery.js";
import { readableTextsOf, type NamedDocument } from "../../../analysis/searchedTexts.js";
import {
  completionsAsWritten,
  readTyped,
  type TypedWord,
  meetingOf,
  type TypedText,
} from "../../../analysis/suggesting.js";
import { examinedInTurns, WrittenForms, writersOfWord } from "../../../analysis/writtenForms.js";
import type { CustomProperty } from "../../../events/document.js";
import { toSuggestions, type Suggestion, type SuggestedTitle } from "../../../readModels/search.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Collection } from "./collection.js";
import type { HeldWords } from "./heldWords.js";
import { partsPerDocument } from "./schema.js";
import type { Visibility } from "./visibility.js";
import type { VocabularyLookup } from "./vocabularyLookup.js";
import { toSearchId } from "../../../shared/ids.js";
import type { Meeting } from "../titleTerms.js";
import { titlesWith } from "./titleRows.js";
import { DocumentWordReads } from "./documentWords.js";

/** In how many of the person's documents words are counted, the newest first. */
const mostSampled = 500;
/** Candidates that are looked up for each word that is asked for: the spelling of some rules them out. */
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

  /** The completions of the first of these words that has any, those that most documents hold first. */
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

  /**
   * Candidates in three steps: words of documents that hold the words before, words of the newest documents, and words
   * of any document, the shortest first.
   */
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

/** The FTS5 expression that finds documents with all words of a text but stop words; null where it has no others. */
function expressionOf(text: string): string | null {
  const { words } = analyseQuery(text);
  if (words.length === 0) return null;
  return words.map(({ terms }) => `(${terms.map((term) => `"${term}"`).join(" OR ")})`).join(" AND ");
}

/** The titles of so many of the person's documents are read at most, the newest first: a millisecond. */
const mostRead = 200;

interface TitleRow {
  readonly title: string;
  readonly datasource: string;
  readonly documentId: string;
}

type MeetingTitle = SuggestedTitle & { readonly meeting: Meeting | null };

/** Finds titles that meet what is being typed, among what a person may see. */
class TitleLookup {
  private readonly rowsWith;
  private readonly select;

  constructor(database: SqliteDatabase, openRows: OpenRows) {
    this.rowsWith = openRows.prepare("titles");
    this.select = database.prepare<[number], TitleRow>(
      `SELECT d.title, s.name AS datasource, d.document_id AS documentId
       FROM documents d JOIN datasources s ON s.id = d.datasource WHERE d.row = ?`,
    );
  }

  /**
   * Titles that begin with what was typed, then those that hold its words, the newest first. What several documents are
   * called is told once, of the newest. Call it in the snapshot for which the rows were opened.
   *
   * @param few all rows of the person, the newest first, where these are few; else null.
   */
  of(typed: TypedText, most: number, few: readonly number[] | null): readonly SuggestedTitle[] {
    const found = new Map<string, SuggestedTitle>();
    const known = few?.map((row) => this.read(row, typed));
    for (const meeting of ["begins", "holds"] as const) {
      for (const { title, id, meeting: how } of known ?? this.lookUp(typed, meeting)) {
        if (found.size >= most) break;
        if (how !== null && (how === meeting || how === "begins") && !found.has(title.toLowerCase()))
          found.set(title.toLowerCase(), { title, id });
      }
    }
    return [...found.values()];
  }

  private *lookUp(typed: TypedText, meeting: Meeting): Generator<MeetingTitle> {
    for (const row of this.rowsWith(titlesWith(typed.words, typed.isOpen, meeting), mostRead))
      yield this.read(row, typed);
  }

  private read(row: number, typed: TypedText): MeetingTitle {
    const { title, datasource, documentId } = this.select.get(row) as TitleRow;
    return { title, id: toSearchId(datasource, documentId), meeting: meetingOf(typed, title) };
  }
}

/** Finds rows of full-text tables that are open to a person, the newest first. One person at a time. */
class OpenRows {
  private visibility: Visibility | null = null;

  constructor(
    private readonly database: SqliteDatabase,
    private readonly collection: Collection,
  ) {
    database.function("is_open", (row: number) => (this.isOpen(row) ? 1 : 0));
  }

  /** Sets the person whose documents the following statements find. */
  openTo(visibility: Visibility): void {
    this.visibility = visibility;
  }

  /** The newest rows that match an FTS5 expression, up to `most`; those that are not open count towards no bound. */
  prepare(table: "titles" | "terms"): (expression: string, most: number) => readonly number[] {
    const statement = this.database
      .prepare<[string, number], number>(
        `SELECT rowid FROM ${table} WHERE ${table} MATCH ? AND is_open(rowid) ORDER BY rowid DESC LIMIT ?`,
      )
      .pluck();
    return (expression, most) => statement.all(expression, most);
  }

  /** The newest rows of all, up to `most`. */
  newest(most: number): readonly number[] {
    const { columns, size } = this.collection;
    const rows: number[] = [];
    for (let slot = size - 1; slot >= 0 && rows.length < most; slot--)
      if (this.visibility?.opens(slot) === true) rows.push(columns.rows[slot] as number);
    return rows;
  }

  private isOpen(row: number): boolean {
    const slot = this.collection.slotOf(row, 0);
    return slot >= 0 && this.visibility?.opens(slot) === true;
  }
}

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
class WordSample {
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
