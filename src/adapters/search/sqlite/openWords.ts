import { LRUCache } from "lru-cache";
import type { Collection } from "./collection.js";
import type { DocumentWordReads } from "./documentWords.js";
import { withRoomFor } from "./growingPostings.js";
import type { OpenDocuments } from "./openSlots.js";

/** Memory for all people; for others their documents are read again. */
const rememberedBytes = 32 * 1024 * 1024;

/** So many documents are read for one search at most: some 25 ms where they are in no cache. */
const readAtOnce = 2_000;

/** Which words the documents hold that are open to somebody, as they are written. */
export class OpenWords {
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
export class RememberedOpenWords {
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
