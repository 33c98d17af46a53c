import { termsOf } from "../../../analysis/words.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Collection } from "./collection.js";
import { DocumentWordReads } from "./documentWords.js";
import type { Postings } from "./growingPostings.js";
import { RememberedOpenWords, type OpenWords } from "./openWords.js";
import type { PostingsCache } from "./postings.js";
import type { Visibility } from "./visibility.js";

/**
 * For people who see more documents, most words are found in the first documents with them: they are not remembered.
 */
const fewDocuments = 20_000;
/** In how many of the person's documents with its stem a word is looked for at most. */
const mostLookedInto = 100;

/** Tells which words of the vocabulary a person's documents hold as they are written. */
export class HeldWords {
  private readonly numberOf;
  private readonly documentWords;
  private readonly remembered;
  private readonly openWords = new WeakMap<Visibility, OpenWords>();

  constructor(
    database: SqliteDatabase,
    private readonly collection: Collection,
    private readonly postings: PostingsCache,
  ) {
    this.numberOf = database.prepare<[string], number>("SELECT id FROM words WHERE word = ?").pluck();
    this.documentWords = new DocumentWordReads(database);
    this.remembered = new RememberedOpenWords(this.documentWords, collection);
  }

  /** Whether a document of the person holds the word. */
  isHeld(word: string, visibility: Visibility): boolean {
    const number = this.numberOf.get(word);
    if (number === undefined) return false;
    return this.openWordsOf(visibility)?.holds(number) ?? this.isInPostings(word, number, visibility);
  }

  /** null: the person sees more documents, or they were named. */
  private openWordsOf(visibility: Visibility): OpenWords | null {
    const known = this.openWords.get(visibility);
    if (known !== undefined) return known;
    const documents = visibility.openToFew(fewDocuments);
    if (documents === null) return null;
    const words = this.remembered.of(documents);
    this.openWords.set(visibility, words);
    return words;
  }

  /**
   * It is looked for in the first of the person's documents with its stem: these stay the same while documents are
   * added, so that what is remembered of a stem mostly says enough.
   */
  private isInPostings(word: string, number: number, visibility: Visibility): boolean {
    return termsOf(word).some((term) => this.isInFirst(term, number, visibility));
  }

  private isInFirst(term: string, number: number, visibility: Visibility): boolean {
    const { rows } = this.collection.columns;
    let next = 0;
    let left = mostLookedInto;
    let isFound = false;
    const isKnown = ({ slots, size }: Postings): boolean => {
      for (; next < size && left > 0 && !isFound; next++) {
        const slot = slots[next] as number;
        if (!visibility.opens(slot)) continue;
        isFound = this.documentWords.holds(rows[slot] as number, number);
        left -= 1;
      }
      return isFound || left === 0;
    };
    isKnown(this.postings.firstOf(term, isKnown));
    return isFound;
  }

  /** Rows of the newest of the person's documents with its stem that hold the word as it is written, up to a number. */
  newestRowsWith(word: string, most: number, visibility: Visibility): readonly number[] {
    const number = this.numberOf.get(word);
    if (number === undefined) return [];
    const { rows } = this.collection.columns;
    const found = new Set<number>();
    let looked = 0;
    for (const term of termsOf(word)) {
      const { slots, size } = this.postings.ofTerm(term);
      for (let index = size - 1; index >= 0 && looked < mostLookedInto && found.size < most; index--) {
        const slot = slots[index] as number;
        if (!visibility.opens(slot)) continue;
        looked += 1;
        const row = rows[slot] as number;
        if (this.documentWords.holds(row, number)) found.add(row);
      }
    }
    return [...found];
  }
}
