import { mostRounds, settledAtOnce } from "../../../analysis/rankingRules.js";
import { heaviestFirst, type ScoredWord, type Scores, type Weighing } from "./scores.js";

/** So many of the first documents have their whole score: all that a search may settle, and those that follow them. */
const scoredInWhole = settledAtOnce * (mostRounds + 1);
/** Scores are added up as 32-bit floats: nobody is left out because of their rounding. */
const slack = 1.0001;

/** What decides who comes first. */
export interface Contest {
  readonly words: readonly ScoredWord[];
  readonly weighing: Weighing;
  /** A document that holds so many of the words is a match for sure. */
  readonly wordsOfMatch: number;
  /** What a document's score counts for the reader, by its language's number: all of it, or less. */
  readonly worths: readonly number[];
  /** The number of each document's language, by slot. */
  readonly languages: Uint8Array;
}

/**
 * Scores the documents that can come first, and returns their slots, in ascending order: the first matches of the
 * ranking are among them, and so is the document with the highest score. Words that say much are added for all
 * documents that hold them. As soon as the other words together cannot bring a document among the first, they are only
 * looked up in what is left (MaxScore: Turtle and Flood 1995). Other documents have a part of their score.
 */
export function scoreContenders(scores: Scores, contest: Contest): Int32Array {
  const words = heaviestFirst(contest.words);
  const rest = restsOf(words, contest.weighing);
  const field = new Field(scores, contest);
  let next = 0;
  const all = (rest[0] as Rest).score;
  for (; next < words.length; next++) {
    const left = rest[next] as Rest;
    if (!field.mayComeFirstBy(all - left.score, left)) break;
    scores.addWords([words[next] as ScoredWord], contest.weighing);
  }
  let contenders = ascending(field.left(scores.found(), rest[next] as Rest));
  for (; next < words.length; next++) {
    scores.addWordTo(contenders, words[next] as ScoredWord, contest.weighing);
    field.raiseBar(contenders);
    contenders = field.left(contenders, rest[next + 1] as Rest);
  }
  return contenders;
}

/** What words may add that are not added yet. */
interface Rest {
  readonly score: number;
  /** In how many places they stand. */
  readonly places: number;
}

/** What the words from each place on may add, and from behind the last. */
function restsOf(words: readonly ScoredWord[], { bm25 }: Weighing): readonly Rest[] {
  const rests: Rest[] = [{ score: 0, places: 0 }];
  for (const { alternatives } of words.toReversed()) {
    const [{ score, places }] = rests as [Rest];
    const most = Math.max(0, ...alternatives.map(({ factor }) => factor * bm25.most));
    const size = alternatives.reduce((sum, { postings }) => sum + postings.size, 0);
    rests.unshift({ score: score + most, places: places + size });
  }
  return rests;
}

/** What documents have to score to stay in. */
class Field {
  /** As the reader counts it: so many matches have it that further ones do not come first. */
  private countedBar = 0;
  private highest = 0;
  private readonly first = new Float32Array(scoredInWhole);

  constructor(
    private readonly scores: Scores,
    private readonly contest: Contest,
  ) {}

  /** Whether nothing but the rest could bring a document first. Looks only where that costs less than to go on. */
  mayComeFirstBy(added: number, rest: Rest): boolean {
    const found = this.scores.found();
    if (added > rest.score && found.length < rest.places) this.raiseBar(found);
    return rest.score * slack >= this.countedBar;
  }

  /** @param slots of documents that are still in. */
  raiseBar(slots: Int32Array): void {
    const { bySlot, heldBySlot } = this.scores;
    const { worths, languages, wordsOfMatch } = this.contest;
    const { first } = this;
    first.fill(0);
    for (let index = 0; index < slots.length; index++) {
      const slot = slots[index] as number;
      const score = bySlot[slot] as number;
      if (score > this.highest) this.highest = score;
      // What a document counts for the reader is no more than its score: most need no other look.
      if (score <= (first[0] as number) || (heldBySlot[slot] as number) < wordsOfMatch) continue;
      const counted = score * (worths[languages[slot] as number] as number);
      if (counted > (first[0] as number)) sinkFirst(first, counted);
    }
    this.countedBar = first[0] as number;
  }

  /** Those that can come first if they hold all of the rest. */
  left(slots: Int32Array, rest: Rest): Int32Array {
    const { bySlot } = this.scores;
    const { worths, languages } = this.contest;
    const kept = new Int32Array(slots.length);
    let count = 0;
    for (let index = 0; index < slots.length; index++) {
      const slot = slots[index] as number;
      const most = ((bySlot[slot] as number) + rest.score) * slack;
      if (most < this.countedBar) continue;
      if (most >= this.highest || most * (worths[languages[slot] as number] as number) >= this.countedBar)
        kept[count++] = slot;
    }
    return kept.subarray(0, count);
  }
}

/** Sorts distinct slots: a bit is set for each, and read off. It takes a tenth of the time of `sort`. */
function ascending(slots: Int32Array): Int32Array {
  const last = slots.reduce((most, slot) => Math.max(most, slot), 0);
  const bits = new Int32Array((last >> 5) + 1);
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] as number;
    bits[slot >> 5] = (bits[slot >> 5] as number) | (1 << (slot & 31));
  }
  let count = 0;
  for (let at = 0; at < bits.length; at++)
    for (let left = bits[at] as number; left !== 0; left &= left - 1)
      slots[count++] = (at << 5) + 31 - Math.clz32(left & -left);
  return slots;
}

/** Replaces the lowest of some numbers, which comes first: no number is below the one at half its place. */
function sinkFirst(numbers: Float32Array, value: number): void {
  let at = 0;
  for (;;) {
    let child = at * 2 + 1;
    if (child >= numbers.length) break;
    if (child + 1 < numbers.length && (numbers[child + 1] as number) < (numbers[child] as number)) child += 1;
    if ((numbers[child] as number) >= value) break;
    numbers[at] = numbers[child] as number;
    at = child;
  }
  numbers[at] = value;
}
