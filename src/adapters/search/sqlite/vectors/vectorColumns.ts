import type { TextRange } from "../../../../analysis/nearness.js";
import type { QuantisedVector } from "./passageVectors.js";

const bitsPerWord = 32;

/** Words that hold the signs of this many numbers. */
const wordsFor = (dimensions: number): number => Math.ceil(dimensions / bitsPerWord);

/**
 * Vectors of one length, one after the other in arrays: about 1.2 bytes a number, and 12 bytes. Beside each stand the
 * signs of its numbers, by which it is told quickly which are near.
 */
export class VectorColumns {
  size = 0;
  private values: Int8Array;
  private signs: Int32Array;
  private scales = new Float32Array(64);
  private starts = new Int32Array(64);
  private ends = new Int32Array(64);
  private readonly words: number;

  constructor(readonly dimensions: number) {
    this.words = wordsFor(dimensions);
    this.values = new Int8Array(64 * dimensions);
    this.signs = new Int32Array(64 * this.words);
  }

  push({ passage, scale, values }: QuantisedVector): void {
    if (this.size === this.scales.length) this.grow();
    const at = this.size++;
    this.values.set(values, at * this.dimensions);
    writeSigns(values, this.signs, at * this.words);
    this.scales[at] = scale;
    this.starts[at] = passage.start;
    this.ends[at] = passage.end;
  }

  passageOf(at: number): TextRange {
    return { start: this.starts[at] as number, end: this.ends[at] as number };
  }

  /** The cosine of a vector with a query of length 1. */
  cosine(at: number, query: Float32Array): number {
    const { values, dimensions } = this;
    const from = at * dimensions;
    const unrolled = dimensions & ~3;
    // Four sums that do not wait for each other.
    let first = 0;
    let second = 0;
    let third = 0;
    let fourth = 0;
    for (let n = 0; n < unrolled; n += 4) {
      first += (values[from + n] as number) * (query[n] as number);
      second += (values[from + n + 1] as number) * (query[n + 1] as number);
      third += (values[from + n + 2] as number) * (query[n + 2] as number);
      fourth += (values[from + n + 3] as number) * (query[n + 3] as number);
    }
    for (let n = unrolled; n < dimensions; n++) first += (values[from + n] as number) * (query[n] as number);
    return (first + second + third + fourth) * (this.scales[at] as number);
  }

  /** The signs of a query, for {@link distance}. */
  signsOf(query: Float32Array): Int32Array {
    const signs = new Int32Array(this.words);
    writeSigns(query, signs, 0);
    return signs;
  }

  /** In how many signs a vector differs from a query: the fewer, the nearer they tend to be. */
  distance(at: number, signs: Int32Array): number {
    const from = at * this.words;
    let differing = 0;
    for (let word = 0; word < this.words; word++)
      differing += countBits((this.signs[from + word] as number) ^ (signs[word] as number));
    return differing;
  }

  private grow(): void {
    const larger = Math.ceil(this.size * 1.5);
    const { values, signs, scales, starts, ends } = this;
    this.values = new Int8Array(larger * this.dimensions);
    this.signs = new Int32Array(larger * this.words);
    this.scales = new Float32Array(larger);
    this.starts = new Int32Array(larger);
    this.ends = new Int32Array(larger);
    this.values.set(values);
    this.signs.set(signs);
    this.scales.set(scales);
    this.starts.set(starts);
    this.ends.set(ends);
  }
}

function writeSigns(values: Int8Array | Float32Array, signs: Int32Array, from: number): void {
  for (let n = 0; n < values.length; n++) {
    if ((values[n] as number) <= 0) continue;
    const word = from + (n >> 5);
    signs[word] = (signs[word] as number) | (1 << (n & 31));
  }
}

/** How many bits of a 32-bit word are set. */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
