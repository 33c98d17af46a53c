/**
 * Where an expression is found, in ascending order, and how often in each place; in a title it counts `titleWeight`.
 */
export interface Postings {
  readonly slots: Int32Array;
  /** 255 stands for more, too. */
  readonly frequencies: Uint8ClampedArray;
  readonly size: number;
}

/** Whether the expression stands in this document; it costs the logarithm of their number. */
export function holds(postings: Postings, slot: number): boolean {
  const place = firstFrom(postings, slot);
  return place < postings.size && postings.slots[place] === slot;
}

/** How often the expression stands in this document, 0 where it does not; it costs the logarithm of their number. */
export function frequencyAt(postings: Postings, slot: number): number {
  const { slots, frequencies, size } = postings;
  const place = firstFrom(postings, slot);
  return place < size && slots[place] === slot ? (frequencies[place] as number) : 0;
}

/** The place of the first slot that is not below this one; it is not before `from`. */
export function firstFrom({ slots, size }: Pick<Postings, "slots" | "size">, slot: number, from = 0): number {
  let low = from;
  let high = size;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((slots[middle] as number) < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The search for the next slot looks at so many places in turn, which a processor foresees, before it leaps. */
const placesInTurn = 8;

/** The same, for a caller that goes from slot to slot: it costs the logarithm of the distance. */
export function nextFrom(postings: Postings, slot: number, from: number): number {
  const { slots, size } = postings;
  const near = Math.min(size, from + placesInTurn);
  let low = from;
  while (low < near && (slots[low] as number) < slot) low += 1;
  if (low < near || low === size) return low;
  let step = 1;
  while (low + step < size && (slots[low + step] as number) < slot) {
    low += step;
    step *= 2;
  }
  return firstFrom({ slots, size: Math.min(size, low + step + 1) }, slot, low);
}

/** Postings that newer rows are added to. */
export class GrowingPostings implements Postings {
  slots = new Int32Array(8);
  frequencies = new Uint8ClampedArray(8);
  size = 0;
  /** Rows up to this one are included. */
  upToRow = 0;
  /** Rows of this commit and earlier ones are included: see `KnownRows`. */
  upToCommit = 0;
  /** Rows from this one on are included. */
  fromRow = 0;
  /** For a cache: the room that it has counted. */
  measuredRoom = 0;

  push(slot: number, frequency: number): void {
    if (this.size === this.slots.length) this.grow();
    this.slots[this.size] = slot;
    this.frequencies[this.size++] = frequency;
  }

  /** Adds older documents, in ascending order, each found once. */
  prepend(older: readonly number[]): void {
    const size = this.size + older.length;
    const [slots, frequencies] = [new Int32Array(size), new Uint8ClampedArray(size).fill(1)];
    slots.set(older);
    slots.set(this.slots.subarray(0, this.size), older.length);
    frequencies.set(this.frequencies.subarray(0, this.size), older.length);
    Object.assign(this, { slots, frequencies, size });
  }

  /** Frees room that was taken for growth. */
  trim(): void {
    if (this.size * 1.25 < this.slots.length) this.resize(Math.ceil(this.size * 1.125) + 4);
  }

  private grow(): void {
    this.resize(Math.ceil(this.slots.length * 1.5));
  }

  private resize(room: number): void {
    const [slots, frequencies] = [this.slots, this.frequencies];
    this.slots = new Int32Array(room);
    this.frequencies = new Uint8ClampedArray(room);
    this.slots.set(slots.subarray(0, this.size));
    this.frequencies.set(frequencies.subarray(0, this.size));
  }
}

/** Whole numbers one after the other, with room to grow. */
export class GrowingNumbers {
  values = new Int32Array(1_024);
  size = 0;

  push(value: number): void {
    if (this.size === this.values.length) this.grow();
    this.values[this.size++] = value;
  }

  private grow(): void {
    const larger = new Int32Array(Math.ceil(this.values.length * 1.5));
    larger.set(this.values);
    this.values = larger;
  }
}

/** These numbers with room for so many, zeros behind them: the same where they have it, or a copy. */
export function withRoomFor<Numbers extends Uint8Array | Int32Array>(numbers: Numbers, count: number): Numbers {
  if (numbers.length >= count) return numbers;
  const larger = new (numbers.constructor as new (length: number) => Numbers)(Math.ceil(count * 1.125));
  larger.set(numbers);
  return larger;
}
