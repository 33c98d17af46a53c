/** A small, seeded generator (mulberry32): the same seed gives the same corpus on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface CorpusDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

const consonants = ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "st", "tr", "ch"];
const vowels = ["a", "e", "i", "o", "u", "ei", "au"];

/** Made-up words, the n-th as frequent as 1/n: what natural text looks like to an index. */
export class Corpus {
  private readonly random: () => number;
  private readonly words: readonly string[];
  private readonly cumulative: Float64Array;

  /** @param textLength how many words a text has on average. */
  constructor(
    seed: number,
    vocabularySize = 30_000,
    private readonly textLength = 200,
  ) {
    this.random = seededRandom(seed);
    const words = new Set<string>();
    while (words.size < vocabularySize) words.add(this.makeWord());
    this.words = [...words];
    this.cumulative = new Float64Array(vocabularySize);
    let sum = 0;
    for (let rank = 0; rank < vocabularySize; rank++) this.cumulative[rank] = sum += 1 / (rank + 3);
  }

  /** A text of three to five quarters of the average length, under a title of six words. */
  document(id: string): CorpusDocument {
    const [least, range] = [Math.round(this.textLength * 0.75), this.textLength / 2];
    return { id, title: this.text(6), text: this.text(least + Math.floor(this.random() * range)) };
  }

  text(length: number): string {
    return Array.from({ length }, () => this.pick()).join(" ");
  }

  private pick(): string {
    const total = this.cumulative[this.cumulative.length - 1] ?? 0;
    const wanted = this.random() * total;
    let low = 0;
    let high = this.cumulative.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.cumulative[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return this.words[low] ?? "";
  }

  private makeWord(): string {
    const syllables = 1 + Math.floor(this.random() * 4);
    let word = "";
    for (let index = 0; index < syllables; index++) word += this.choose(consonants) + this.choose(vowels);
    return this.random() < 0.3 ? word + this.choose(["n", "s", "t", "r"]) : word;
  }

  private choose(options: readonly string[]): string {
    return options[Math.floor(this.random() * options.length)] ?? "";
  }
}
