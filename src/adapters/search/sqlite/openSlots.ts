import { LRUCache } from "lru-cache";
import type { Collection } from "./collection.js";
import { withRoomFor } from "./growingNumbers.js";

/** Memory for all people; for others it is worked out again: 5 ns a document. */
const rememberedBytes = 32 * 1024 * 1024;

interface Remembered {
  readonly isOpen: Uint8Array;
  /** Slots below this one have been looked at. */
  readonly upTo: number;
  /** So many of the documents that are gone have been taken out. */
  readonly gone: number;
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

  /** 1 at the slot of every document that is there and that `opens` says of it. Equal keys mean equal answers. */
  of(key: string, collection: Collection, opens: (slot: number) => boolean): Uint8Array {
    const { numbering, definitions, size, gone } = collection;
    const known = this.remembered.get(key);
    const isGood = known?.numbering === numbering && known.definitions === definitions;
    const before = isGood ? known : { isOpen: new Uint8Array(0), upTo: 0, gone: 0 };
    const isOpen = withRoomFor(before.isOpen, size);
    for (let slot = before.upTo; slot < size; slot++) isOpen[slot] = opens(slot) ? 1 : 0;
    for (let index = before.gone; index < gone.size; index++) isOpen[gone.values[index] as number] = 0;
    this.remembered.set(key, { isOpen, upTo: size, gone: gone.size, numbering, definitions });
    return isOpen;
  }
}
