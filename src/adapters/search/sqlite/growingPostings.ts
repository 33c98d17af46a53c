import { weightOf } from "./bm25Weight.js";

/**
 * Where an expression is found, in ascending order, and the weight of each place before rarity: BM25's saturated part.
 */
export interface Postings {
  readonly slots: Int32Array;
  readonly weights: Float32Array;
  readonly size: number;
}

/** Postings that newer rows are added to. */
export class GrowingPostings implements Postings {
  slots = new Int32Array(8);
  weights = new Float32Array(8);
  size = 0;
  /** Rows up to this one are included. */
  upToRow = 0;
  /** How many rows were taken in without BM25 since the postings were made. */
  unweighed = 0;
  /** The slot whose weight is a frequency yet: see {@link count}. */
  private counted = -1;
  /** For a cache: the room that it has counted. */
  measuredRoom = 0;

  push(slot: number, weight: number): void {
    if (this.size === this.slots.length) this.grow();
    this.slots[this.size] = slot;
    this.weights[this.size++] = weight;
  }

  /** Adds occurrences in the newest document; to be followed by {@link weigh}. */
  count(slot: number, frequency: number): void {
    if (this.counted !== slot) this.push(slot, 0);
    this.counted = slot;
    this.weights[this.size - 1] = (this.weights[this.size - 1] as number) + frequency;
  }

  /** Turns what was counted into a weight. A document's length is relative to the average length. */
  weigh(slot: number, length: number): void {
    if (this.counted !== slot) return;
    this.weights[this.size - 1] = weightOf(this.weights[this.size - 1] as number, length);
    this.counted = -1;
  }

  /** Frees room that was taken for growth. */
  trim(): void {
    if (this.size * 1.25 < this.slots.length) this.resize(Math.ceil(this.size * 1.125) + 4);
  }

  private grow(): void {
    this.resize(Math.ceil(this.slots.length * 1.5));
  }

  private resize(room: number): void {
    const [slots, weights] = [this.slots, this.weights];
    this.slots = new Int32Array(room);
    this.weights = new Float32Array(room);
    this.slots.set(slots.subarray(0, this.size));
    this.weights.set(weights.subarray(0, this.size));
  }
}
