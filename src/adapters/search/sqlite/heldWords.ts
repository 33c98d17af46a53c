import { termsOf } from "../../../analysis/words.js";
import type { SqliteDatabase } from "../../sqlite/database.js";
import type { Collection } from "./collection.js";
import { DocumentWordReads } from "./documentWords.js";
import { type Postings, withRoomFor } from "./growingPostings.js";
import type { PostingsCache } from "./postings.js";
import type { Visibility } from "./visibility.js";
import { LRUCache } from "lru-cache";
import type { OpenDocuments } from "./openSlots.js";

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

/** Memory for all people; for others their documents are read again. */
const rememberedBytes = 32 * 1024 * 1024;

/** So many documents are read for one search at most: some 25 ms where they are in no cache. */
const readAtOnce = 2_000;

/** Which words the documents hold that are open to somebody, as they are written. */
class OpenWords {
  /** The slot of a document that holds the word, plus one, by the word's number; 0: none is known. */
  private holders = new Int32Array(0);
  /** Documents below this slot have been read. */
  private upTo = 0;
  private isWhole = false;

  constructor(private readonly documents: OpenDocuments) {}

  /** Reads the documents that have come, or as many as are read at once. */
  follow({ columns, size }: Collection, words: DocumentWordReads): void {
    const { isOpen } = this.documents;
    let left = readAtOnce;
    for (; this.upTo < size && left > 0; this.upTo++) {
      if (isOpen[this.upTo] !== 1) continue;
      words.forEach(columns.rows[this.upTo] as number, (word) => this.add(word, this.upTo));
      left -= 1;
    }
    this.isWhole = this.upTo === size;
  }

  /** Whether any of the documents holds the word; null: it is not known, because not all are read, or one is gone. */
  holds(word: number): boolean | null {
    const holder = this.holders[word] ?? 0;
    if (holder === 0) return this.isWhole ? false : null;
    return this.documents.isOpen[holder - 1] === 1 || null;
  }

  get bytes(): number {
    return this.holders.byteLength + 1;
  }

  private add(word: number, slot: number): void {
    this.holders = withRoomFor(this.holders, word + 1);
    this.holders[word] = slot + 1;
  }
}

/**
 * The words of people who see few documents. A word that many documents hold, and none of theirs, would else cost them
 * a look at all of these: of the words that begin with three letters, hundreds do.
 */
class RememberedOpenWords {
  private readonly remembered = new LRUCache<OpenDocuments, OpenWords>({
    maxSize: rememberedBytes,
    sizeCalculation: ({ bytes }) => bytes,
  });

  constructor(
    private readonly reads: DocumentWordReads,
    private readonly collection: Collection,
  ) {}

  /** Call it once for each search, in the read transaction in which the collection was refreshed. */
  of(documents: OpenDocuments): OpenWords {
    const known = this.remembered.get(documents);
    const words = known ?? new OpenWords(documents);
    const { bytes } = words;
    words.follow(this.collection, this.reads);
    if (words === known && words.bytes === bytes) return words;
    // The cache measures what is new to it.
    this.remembered.delete(documents);
    this.remembered.set(documents, words);
    return words;
  }
}
