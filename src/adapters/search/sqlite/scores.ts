import { firstFrom, nextFrom, type Postings } from "./growingPostings.js";
import { countedLength, lengthNormalisation, longestWhole } from "../../../analysis/rankingRules.js";

/** A 32-bit float above zero, and below anything that a word adds. */
export const leastScore = Math.fround(1e-30);

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

/** A word of the query, by the ways in which documents hold it. */
export interface ScoredWord {
  readonly alternatives: readonly WeighedPostings[];
  /** Whether no document can hold it in two of the ways; else the best one counts. */
  readonly areDisjoint: boolean;
  /** Whether a document that holds it holds a word of the query more. */
  readonly isAsked: boolean;
}

/** Tells which scores are worth keeping. */
export interface Bar {
  /** Lower scores need not be kept; it rises. */
  readonly lowest: number;
  /** Called for each document's score that is kept, the first of them where it holds the word in several ways. */
  take(slot: number, score: number): void;
}

/**
 * The words by their weight, those of equal weight as they are given. Ways that no document combines are words of their
 * own: of another language's form that hardly any document holds, the usual one says nothing.
 */
export const heaviestFirst = (words: readonly ScoredWord[]): readonly ScoredWord[] =>
  words
    .flatMap((word) => (word.areDisjoint ? word.alternatives.map((way) => ({ ...word, alternatives: [way] })) : [word]))
    .toSorted((a, b) => weightOf(b) - weightOf(a));

const weightOf = ({ alternatives }: ScoredWord): number =>
  alternatives.reduce((most, { factor }) => Math.max(most, factor), 0);

/** So many slots are scored at a time: about as many as a processor's nearest caches have room for. */
const blockSlots = 32_768;

/** The part of a way's postings that is within the block that is being scored. */
class WayInBlock {
  readonly slots;
  readonly frequencies;
  readonly size;
  readonly factor;
  from = 0;
  to = 0;

  constructor({ postings, factor }: WeighedPostings) {
    this.slots = postings.slots;
    this.frequencies = postings.frequencies;
    this.size = postings.size;
    this.factor = factor;
  }

  /** To the block that follows and ends before this slot. */
  goOn(end: number): void {
    this.from = this.to;
    this.to = firstFrom(this, end, this.from);
  }
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
   * Adds words by the ways in which documents hold them: a block of documents after the other, so that what is written
   * stays in the processor's cache from the first word to the last. In each document the heaviest word comes first:
   * sums do not depend on the order in which words were asked for.
   */
  addWords(words: readonly ScoredWord[], weighing: Weighing): void {
    const sought = heaviestFirst(words).map((word) => ({
      ...word,
      ways: word.alternatives.map((way) => new WayInBlock(way)),
    }));
    const places = sought.reduce((sum, { ways }) => sum + ways.reduce((size, way) => size + way.size, 0), 0);
    const step = places * 8 > this.slots ? blockSlots : this.slots;
    for (let end = step; end < this.slots + step; end += step)
      for (const { ways, areDisjoint, isAsked } of sought) {
        for (const way of ways) way.goOn(end);
        this.addBlock(ways, areDisjoint, weighing, isAsked ? 1 : 0);
      }
  }

  /** Adds a word to these documents alone, given in ascending order. */
  addWordTo(chosen: Int32Array, { alternatives, areDisjoint, isAsked }: ScoredWord, { bm25, lengths }: Weighing): void {
    const { best } = this;
    for (const { postings, factor } of alternatives) {
      const { slots, frequencies, size } = postings;
      const most = factor * bm25.most;
      for (let index = 0, place = 0; index < chosen.length && place < size; index++) {
        const slot = chosen[index] as number;
        place = nextFrom(postings, slot, place);
        if (place === size || slots[place] !== slot) continue;
        const frequency = frequencies[place] as number;
        const score = (most * frequency) / (frequency + (bm25.norms[lengths[slot] as number] as number));
        if (areDisjoint) this.addTo(slot, score, isAsked ? 1 : 0);
        else if (score > (best[slot] as number)) best[slot] = score;
      }
    }
    if (!areDisjoint) this.addAndClearBest({ slots: chosen, from: 0, to: chosen.length }, isAsked ? 1 : 0);
  }

  /** Adds a query's only word to the documents that the bar leaves, each place of it looked at once. */
  addOnly({ alternatives, isAsked }: ScoredWord, { bm25, lengths, wanted }: Weighing, bar: Bar): void {
    const { total, held, touched } = this;
    const { norms } = bm25;
    for (const { postings, factor } of alternatives) {
      const { slots, frequencies, size } = postings;
      const most = factor * bm25.most;
      for (let index = 0; index < size; index++) {
        const slot = slots[index] as number;
        const frequency = frequencies[index] as number;
        const score = (most * frequency) / (frequency + (norms[lengths[slot] as number] as number));
        if (score < bar.lowest || (wanted !== null && wanted[slot] === 0)) continue;
        const known = total[slot] as number;
        if (score > known) total[slot] = score;
        if (known > 0) continue;
        touched[this.touchedCount++] = slot;
        held[slot] = isAsked ? 1 : 0;
        bar.take(slot, score);
      }
    }
  }

  private addTo(slot: number, score: number, counted: 0 | 1): void {
    this.total[slot] = (this.total[slot] as number) + score;
    this.held[slot] = (this.held[slot] as number) + counted;
  }

  private addBlock(ways: readonly WayInBlock[], areDisjoint: boolean, weighing: Weighing, counted: 0 | 1): void {
    if (!areDisjoint) return this.addBest(ways, weighing, counted);
    for (const way of ways) this.add(way, weighing, counted);
  }

  private add(
    { slots, frequencies, from, to, factor }: WayInBlock,
    { bm25, lengths, wanted }: Weighing,
    counted: 0 | 1,
  ): void {
    if (from === to) return;
    const { total, touched, held } = this;
    const { norms } = bm25;
    const most = factor * bm25.most;
    let count = this.touchedCount;
    const chosen = wanted === null ? null : this.choose(slots, from, to, wanted);
    const last = chosen === null ? to - from : this.chosenCount;
    for (let place = 0; place < last; place++) {
      const index = chosen === null ? from + place : (chosen[place] as number);
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
  private addBest(ways: readonly WayInBlock[], { bm25, lengths, wanted }: Weighing, counted: 0 | 1): void {
    const { best } = this;
    const { norms } = bm25;
    for (const { slots, frequencies, from, to, factor } of ways) {
      const most = factor * bm25.most;
      for (let index = from; index < to; index++) {
        const slot = slots[index] as number;
        if (wanted !== null && wanted[slot] === 0) continue;
        const frequency = frequencies[index] as number;
        const score = (most * frequency) / (frequency + (norms[lengths[slot] as number] as number));
        if (score > (best[slot] as number)) best[slot] = score;
      }
    }
    for (const way of ways) this.addAndClearBest(way, counted);
  }

  /** How many of the words that count as held a document holds, by slot. Valid until the next search. */
  get heldBySlot(): Uint8Array {
    return this.held;
  }

  /** Makes sure that these documents are found, however little they score. */
  touch(slots: Int32Array): void {
    for (let index = 0; index < slots.length; index++) {
      const slot = slots[index] as number;
      if (this.total[slot] !== 0) continue;
      this.total[slot] = leastScore;
      this.touched[this.touchedCount++] = slot;
    }
  }

  /** Takes back what was added to these documents; they are found as if they were touched. */
  takeBack(slots: Int32Array): void {
    this.touch(slots);
    for (const slot of slots) {
      this.total[slot] = leastScore;
      this.held[slot] = 0;
    }
  }

  /** By slot; 0 where nothing was found. Valid until the next search. */
  get bySlot(): Float32Array {
    return this.total;
  }

  /** The slots that scored, in no order. */
  found(): Int32Array {
    return this.touched.subarray(0, this.touchedCount);
  }

  /**
   * The places of documents that are wanted, `chosenCount` of them. A loop that asked for each document whether it is
   * would wait for every second answer: a processor cannot guess them.
   */
  private choose(slots: Int32Array, from: number, to: number, wanted: Uint8Array): Int32Array {
    if (this.chosen.length < to - from) this.chosen = new Int32Array(Math.ceil((to - from) * 1.25));
    const { chosen } = this;
    let count = 0;
    for (let index = from; index < to; index++) {
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

  private addAndClearBest({ slots, from, to }: Pick<WayInBlock, "slots" | "from" | "to">, counted: 0 | 1): void {
    const { total, best, touched, held } = this;
    for (let index = from; index < to; index++) {
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

/** BM25's k1: how fast further occurrences of a term count less. */
const saturation = 1.2;

/** BM25 before rarity is `most * f / (f + norms[length])`, with the frequency f and a document's terms. */
interface Bm25 {
  readonly most: number;
  /** By a document's terms, up to one more than `longestWhole`, which stands for all longer ones. */
  readonly norms: Float64Array;
}

/** @param averageLength how many terms a document has on average. */
export function bm25For(averageLength: number): Bm25 {
  const norms = new Float64Array(longestWhole + 2);
  for (const terms of norms.keys()) {
    const length = countedLength(terms, averageLength) / averageLength;
    norms[terms] = saturation * (1 - lengthNormalisation + lengthNormalisation * length);
  }
  return { most: saturation + 1, norms };
}
