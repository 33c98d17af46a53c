import type { Bm25 } from "./bm25.js";
import type { Postings } from "./growingPostings.js";

/** Above zero as a 32-bit float, and below anything that a word adds. */
const leastScore = 1e-30;

export interface WeighedPostings {
  readonly postings: Postings;
  /** Rarity, times what this way of matching is worth. */
  readonly factor: number;
}

/** How occurrences count in one search. */
export interface Weighing {
  readonly bm25: Bm25;
  /** How many terms a document has, by slot, as `Bm25.norms` has it. */
  readonly lengths: Uint16Array;
  /** 0 at the slot of documents that need no score, because nobody is shown them; null: all need one. */
  readonly wanted: Uint8Array | null;
}

/**
 * Adds up the scores of documents, by slot. All searches of a thread share one: a search clears what the last one
 * touched.
 */
export class Scores {
  private total = new Float32Array(0);
  private best = new Float32Array(0);
  private held = new Uint8Array(0);
  private touched = new Int32Array(0);
  private chosen = new Int32Array(0);
  private chosenCount = 0;
  private touchedCount = 0;
  private slots = 0;

  /** Makes room for this many slots and forgets the last search. */
  begin(slots: number): void {
    this.forget();
    this.slots = slots;
    if (this.total.length >= slots) return;
    const room = Math.ceil(slots * 1.25);
    this.total = new Float32Array(room);
    this.best = new Float32Array(room);
    this.held = new Uint8Array(room);
    this.touched = new Int32Array(room);
  }

  /**
   * Adds a word by the ways in which documents hold it.
   *
   * @param areDisjoint whether no document can hold it in two of them; else the best one counts.
   */
  addWord(
    { alternatives, areDisjoint }: { readonly alternatives: readonly WeighedPostings[]; readonly areDisjoint: boolean },
    weighing: Weighing,
    counted: 0 | 1,
  ): void {
    if (!areDisjoint) return this.addBest(alternatives, weighing, counted);
    for (const way of alternatives) this.add(way, weighing, counted);
  }

  /** @param counted 1 where a document that is in these postings holds a word of the query more. */
  add(
    { postings: { slots, frequencies, size }, factor }: WeighedPostings,
    { bm25, lengths, wanted }: Weighing,
    counted: 0 | 1,
  ): void {
    const { total, touched, held } = this;
    const { norms } = bm25;
    const most = factor * bm25.most;
    let count = this.touchedCount;
    const chosen = wanted === null ? null : this.choose(slots, size, wanted);
    const last = chosen === null ? size : this.chosenCount;
    for (let place = 0; place < last; place++) {
      const index = chosen === null ? place : (chosen[place] as number);
      const slot = slots[index] as number;
      const frequency = frequencies[index] as number;
      if (total[slot] === 0) touched[count++] = slot;
      held[slot] = (held[slot] as number) + counted;
      total[slot] =
        (total[slot] as number) + (most * frequency) / (frequency + (norms[lengths[slot] as number] as number));
    }
    this.touchedCount = count;
  }

  /** Adds, for each document, the best of several ways in which it may hold the same word. */
  addBest(alternatives: readonly WeighedPostings[], { bm25, lengths, wanted }: Weighing, counted: 0 | 1): void {
    const { best } = this;
    const { norms } = bm25;
    for (const { postings, factor } of alternatives) {
      const most = factor * bm25.most;
      for (let index = 0; index < postings.size; index++) {
        const slot = postings.slots[index] as number;
        if (wanted !== null && wanted[slot] === 0) continue;
        const frequency = postings.frequencies[index] as number;
        const score = (most * frequency) / (frequency + (norms[lengths[slot] as number] as number));
        if (score > (best[slot] as number)) best[slot] = score;
      }
    }
    for (const { postings } of alternatives) this.addAndClearBest(postings, counted);
  }

  /** How many of the words that count as held a document holds, by slot. Valid until the next search. */
  get heldBySlot(): Uint8Array {
    return this.held;
  }

  /** Makes sure that these documents are found, however little they score. */
  touch({ slots, size }: Postings): void {
    for (let index = 0; index < size; index++) {
      const slot = slots[index] as number;
      if (this.total[slot] !== 0) continue;
      this.total[slot] = leastScore;
      this.touched[this.touchedCount++] = slot;
    }
  }

  /** By slot; 0 where nothing was found. Valid until the next search. */
  get bySlot(): Float32Array {
    return this.total;
  }

  /**
   * The slots that scored, in no order. If they are many they are listed in memory order, which is faster to go on
   * with.
   */
  found(): Int32Array {
    const { total, touched, touchedCount, slots } = this;
    if (touchedCount * 4 < slots) return touched.subarray(0, touchedCount);
    let count = 0;
    for (let slot = 0; slot < slots; slot++) if (total[slot] !== 0) touched[count++] = slot;
    return touched.subarray(0, count);
  }

  /**
   * The places of documents that are wanted, `chosenCount` of them. A loop that asked for each document whether it is
   * would wait for every second answer: a processor cannot guess them.
   */
  private choose(slots: Int32Array, size: number, wanted: Uint8Array): Int32Array {
    if (this.chosen.length < size) this.chosen = new Int32Array(Math.ceil(size * 1.25));
    const { chosen } = this;
    let count = 0;
    for (let index = 0; index < size; index++) {
      chosen[count] = index;
      count += wanted[slots[index] as number] as number;
    }
    this.chosenCount = count;
    return chosen;
  }

  /** One by one, or all at once where they are many. */
  private forget(): void {
    const { total, held, touched, touchedCount, slots } = this;
    this.touchedCount = 0;
    if (touchedCount * 8 > slots) {
      total.fill(0, 0, slots);
      held.fill(0, 0, slots);
      return;
    }
    for (let index = 0; index < touchedCount; index++) {
      total[touched[index] as number] = 0;
      held[touched[index] as number] = 0;
    }
  }

  private addAndClearBest({ slots, size }: Postings, counted: 0 | 1): void {
    const { total, best, touched, held } = this;
    for (let index = 0; index < size; index++) {
      const slot = slots[index] as number;
      const score = best[slot] as number;
      if (score === 0) continue;
      if (total[slot] === 0) touched[this.touchedCount++] = slot;
      total[slot] = (total[slot] as number) + score;
      held[slot] = (held[slot] as number) + counted;
      best[slot] = 0;
    }
  }
}
