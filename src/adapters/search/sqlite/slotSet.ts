import type { Postings } from "./growingPostings.js";

/** Counts how many of the added postings hold a slot. Clearing it touches only what was added. */
export class SlotSet {
  private counts = new Uint8Array(0);
  private added: Postings[] = [];

  /** Makes room for this many slots and forgets what was added. */
  begin(slots: number): void {
    for (const { slots: counted, size } of this.added)
      for (let index = 0; index < size; index++) this.counts[counted[index] as number] = 0;
    this.added = [];
    if (this.counts.length < slots) this.counts = new Uint8Array(Math.ceil(slots * 1.25));
  }

  /** At most 255 times between two calls of `begin`. */
  add(postings: Postings): void {
    this.added.push(postings);
    for (let index = 0; index < postings.size; index++) {
      const slot = postings.slots[index] as number;
      this.counts[slot] = (this.counts[slot] as number) + 1;
    }
  }

  count(slot: number): number {
    return this.counts[slot] as number;
  }
}

/** The slots of which something is true: several times as fast as `filter` of a typed array. */
export function slotsThat(isTrue: (slot: number) => boolean, slots: Int32Array): Int32Array {
  const kept = new Int32Array(slots.length);
  let count = 0;
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] as number;
    if (isTrue(slot)) kept[count++] = slot;
  }
  return kept.subarray(0, count);
}
