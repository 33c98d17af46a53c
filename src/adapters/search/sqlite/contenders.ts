import { mostRounds, settledAtOnce } from "../../../analysis/rankingRules.js";
import { heaviestFirst, leastScore, type Bar, type ScoredWord, type Scores, type Weighing } from "./scores.js";
import { slotsThat } from "./slotSet.js";

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
  /** Wanted documents that may come first by something else than words: distinct slots, in ascending order. */
  readonly others: Int32Array;
}

/**
 * Scores the documents that can come first, and returns their slots, in ascending order: the first matches of the
 * ranking are among them, and so are the document with the highest score, and those of the others that hold a word.
 * Words that say much are added for all documents that hold them. As soon as the other words together cannot bring a
 * document among the first, they are looked up only in the documents that are left (MaxScore: Turtle and Flood 1995).
 * The other documents have a part of their score, or none.
 */
export function scoreContenders(scores: Scores, contest: Contest): Int32Array {
  const [only, second] = contest.words;
  const field = new Field(scores, contest);
  const contenders = only !== undefined && second === undefined ? field.byOnly(only) : field.byAll();
  const others = slotsThat((slot) => (scores.bySlot[slot] as number) > leastScore, contest.others);
  const together = new Int32Array(contenders.length + others.length);
  together.set(contenders);
  together.set(others, contenders.length);
  return ascending(together);
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

const noRest: Rest = { score: 0, places: 0 };

/** What documents have to score to stay in. */
class Field implements Bar {
  lowest = 0;
  /** The bar that the reader counts: so many matches reach it that further ones do not come first. */
  private countedBar = 0;
  private highest = 0;
  private readonly first = new Float32Array(scoredInWhole);

  constructor(
    private readonly scores: Scores,
    private readonly contest: Contest,
  ) {}

  /** By a query's only word each document's score is known at once: one below the bar is not even written down. */
  byOnly(word: ScoredWord): Int32Array {
    const { scores } = this;
    const { weighing, others } = this.contest;
    scores.addOnly(word, weighing, this);
    const contenders = this.left(scores.found(), noRest);
    // For the documents that are left the best way counts, even one below the bar.
    scores.takeBack(others);
    scores.addWordTo(others, word, weighing);
    return contenders;
  }

  byAll(): Int32Array {
    const { scores } = this;
    const { weighing, others } = this.contest;
    const words = heaviestFirst(this.contest.words);
    const rests = restsOf(words, weighing);
    const all = (rests[0] as Rest).score;
    let next = 0;
    for (; next < words.length; next++) {
      const rest = rests[next] as Rest;
      if (!this.mayComeFirstBy(all - rest.score, rest)) break;
      scores.addWords([words[next] as ScoredWord], weighing);
    }
    const isOther = new Set(others);
    const left = this.left(scores.found(), rests[next] as Rest);
    let contenders = ascending(isOther.size === 0 ? left : slotsThat((slot) => !isOther.has(slot), left));
    scores.touch(others);
    for (; next < words.length; next++) {
      for (const slots of [contenders, others]) scores.addWordTo(slots, words[next] as ScoredWord, weighing);
      this.raiseBar(contenders);
      contenders = this.left(contenders, rests[next + 1] as Rest);
    }
    return contenders;
  }

  take(slot: number, score: number): void {
    const { worths, languages } = this.contest;
    const { first } = this;
    const counted = score * (worths[languages[slot] as number] as number);
    if (counted > (first[0] as number)) sinkFirst(first, counted);
    this.countedBar = first[0] as number;
    this.lowest = this.countedBar / slack;
  }

  /** Whether nothing but the rest could bring a document first. Looks only where that costs less than to go on. */
  private mayComeFirstBy(added: number, rest: Rest): boolean {
    const found = this.scores.found();
    if (added > rest.score && found.length < rest.places) this.raiseBar(found);
    return rest.score * slack >= this.countedBar;
  }

  /** @param slots of documents that are still in. */
  private raiseBar(slots: Int32Array): void {
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

  /** The slots that can come first if they hold all of the rest. */
  private left(slots: Int32Array, rest: Rest): Int32Array {
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

/** Each of the slots once, in order: a bit is set for each, and read off. It takes a tenth of the time of `sort`. */
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
  return slots.subarray(0, count);
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
