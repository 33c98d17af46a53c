import { LRUCache } from "lru-cache";
import type { Collection } from "./collection.js";
import { type Postings, withRoomFor } from "./growingPostings.js";

/** Memory for all people; what does not fit is worked out again: 5 ns a document. */
const rememberedBytes = 32 * 1024 * 1024;
/** From so many places on it is remembered how many of them are open. */
const fewestRemembered = 10_000;

/** What slots are good for: until they are numbered anew, or datasources change. */
type Ground = Pick<Collection, "numbering" | "definitions">;

/** Says of every document of a collection that is there whether it is open to somebody. */
export interface Opening {
  readonly collection: Collection;
  opens(slot: number): boolean;
}

/** Which documents are open to somebody. */
export class OpenDocuments {
  /** 1 at the slot of every document that is there and open. */
  isOpen: Uint8Array = new Uint8Array(0);
  /** Slots below this one have been looked at. */
  private upTo = 0;
  /** So many of the documents that are gone have been taken out. */
  private gone = 0;
  private readonly ground: Ground;
  /** How many of the first places are open, by the slots of all. */
  private counted = new WeakMap<Int32Array, { readonly places: number; readonly open: number }>();

  constructor({ numbering, definitions }: Collection) {
    this.ground = { numbering, definitions };
  }

  isGoodFor({ numbering, definitions }: Collection): boolean {
    return this.ground.numbering === numbering && this.ground.definitions === definitions;
  }

  /** Looks at the documents that have come and gone. */
  follow({ collection: { size, gone }, opens }: Opening): void {
    this.isOpen = withRoomFor(this.isOpen, size);
    for (let slot = this.upTo; slot < size; slot++) this.isOpen[slot] = opens(slot) ? 1 : 0;
    for (let index = this.gone; index < gone.size; index++) this.isOpen[gone.values[index] as number] = 0;
    if (gone.size > this.gone) this.counted = new WeakMap();
    this.upTo = size;
    this.gone = gone.size;
  }

  /** How many of these documents are open. For common words only the places that were added are counted. */
  count({ slots, size }: Postings): number {
    const { isOpen } = this;
    const known = this.counted.get(slots);
    let open = known?.open ?? 0;
    for (let index = known?.places ?? 0; index < size; index++) open += isOpen[slots[index] as number] as number;
    if (size >= fewestRemembered) this.counted.set(slots, { places: size, open });
    return open;
  }
}

/**
 * Which documents are open to people who ask for words that many documents hold. A person who sees a document goes on
 * seeing it while it keeps its slot, so only new documents have to be looked at.
 */
export class OpenSlots {
  private readonly known = new LRUCache<string, OpenDocuments>({
    maxSize: rememberedBytes,
    sizeCalculation: ({ isOpen }) => isOpen.length + 1,
  });

  /** Equal keys mean equal answers. */
  of(key: string, opening: Opening): OpenDocuments {
    const known = this.known.get(key);
    const documents = known?.isGoodFor(opening.collection) === true ? known : new OpenDocuments(opening.collection);
    documents.follow(opening);
    // The cache measures what is new to it.
    if (documents === known) this.known.delete(key);
    this.known.set(key, documents);
    return documents;
  }

  /** The same; null where it would have to be worked out. */
  remembered(key: string, opening: Opening): OpenDocuments | null {
    return this.known.get(key)?.isGoodFor(opening.collection) === true ? this.of(key, opening) : null;
  }
}
