import { LRUCache } from "lru-cache";
import type { Collection } from "./collection.js";
import { withRoomFor } from "./growingNumbers.js";

/** Memory for all people; for others it is worked out again: 5 ns a document. */
const rememberedBytes = 32 * 1024 * 1024;

interface Remembered {
  readonly isOpen: Uint8Array;
  /** Slots below this one have been looked at. */
  readonly upTo: number;
  /** What the slots are good for: until they are numbered anew, or datasources change. */
  readonly numbering: number;
  readonly definitions: number;
}

/**
 * Which documents are open to people who ask for words that many documents hold. Whoever sees a document goes on seeing
 * it while it keeps its slot, so that only new documents have to be looked at.
 */
export class OpenSlots {
  private readonly remembered = new LRUCache<string, Remembered>({
    maxSize: rememberedBytes,
    sizeCalculation: ({ isOpen }) => isOpen.length + 1,
  });

  /** 1 at the slot of every document that `opens` says of it, be it there or gone. Equal keys mean equal answers. */
  of(key: string, collection: Collection, opens: (slot: number) => boolean): Uint8Array {
    const { numbering, definitions, size } = collection;
    const known = this.remembered.get(key);
    const isGood = known?.numbering === numbering && known.definitions === definitions;
    const [before, upTo] = isGood ? [known.isOpen, known.upTo] : [new Uint8Array(0), 0];
    if (isGood && upTo === size) return before;
    const isOpen = withRoomFor(before, size);
    for (let slot = upTo; slot < size; slot++) isOpen[slot] = opens(slot) ? 1 : 0;
    this.remembered.set(key, { isOpen, upTo: size, numbering, definitions });
    return isOpen;
  }
}
