import { PassagePage } from "./passagePages.js";

/** A way in which a document may hold a word of a query. */
interface ScoredWay {
  readonly term: string;
  /**
   * The parts of a name: a passage has to hold all of them, each by any of its terms. The term then stands for no word.
   */
  readonly parts?: readonly (readonly string[])[];
  /** What it is worth: the word's rarity, and how well this way fits. */
  readonly factor: number;
}

interface ScoredWord {
  readonly ways: readonly ScoredWay[];
  /** False where the best of its ways counts, instead of all. */
  readonly areDisjoint: boolean;
}

/** What the passages of a long text are looked through for. */
export interface PassageQuestion {
  readonly words: readonly ScoredWord[];
  /** Required phrases, each in every language in which it reads differently. */
  readonly phrases: readonly (readonly (readonly string[])[])[];
  /** By what a word's worth is multiplied that stands so many times in a passage. */
  readonly shareOf: (times: number) => number;
  /** Left out: how the score came about is not kept. */
  readonly explain?: true;
}

/** How often a way is held, title, properties and headings included, and what it is worth. */
interface PassageWay {
  readonly times: number;
  readonly score: number;
}

/** Where a passage stands in its text, in UTF-16 units. */
interface PassagePlace {
  readonly start: number;
  readonly end: number;
}

/** The passages of a long text that say most about a question. */
export interface BestPassages {
  /** How well the best one answers, title, properties and headings included: as a document of its own would. */
  readonly score: number;
  /** The best one; where phrases are required, some that may hold them, the best first. Empty: it has no passage. */
  readonly places: readonly PassagePlace[];
  /** What each way of each word is worth in the best one, in their order. Only where it was asked for. */
  readonly ways?: () => readonly (readonly PassageWay[])[];
}

/** In how many passages a phrase is looked for, where all of its words stand. */
const phrasePlaces = 4;
/** By so many words a phrase is told apart. */
const phraseBits = 30;

interface Ranked extends PassagePlace {
  readonly score: number;
  /** The page that tells of it, and its number there. */
  readonly page: PassagePage;
  readonly passage: number;
  /** How many required phrases it may hold; half a one may go on into the next passage. */
  readonly phrases: number;
}

/** Finds the best passages of a text by the pages of its index. The earlier one comes first of equals. */
export function bestPassagesIn(pages: Iterable<Uint8Array>, question: PassageQuestion): BestPassages {
  const best = firstIn(pages, question);
  const [first] = best;
  return {
    score: first?.score ?? 0,
    places: best.map(({ start, end }) => ({ start, end })),
    ...(question.explain && first !== undefined && { ways: () => waysIn(first, question) }),
  };
}

function firstIn(pages: Iterable<Uint8Array>, question: PassageQuestion): readonly Ranked[] {
  const kept = question.phrases.length === 0 ? 1 : phrasePlaces;
  let best: readonly Ranked[] = [];
  for (const bytes of pages) {
    const page = new PassagePage(bytes);
    const scores = scoresIn(page, question);
    const phrases = phrasesIn(page, question.phrases);
    const last = best.length < kept ? undefined : best.at(-1);
    const better: Ranked[] = [];
    for (let passage = 1; passage <= page.passages; passage++) {
      const ranked = { score: scores[passage] as number, phrases: phrases?.[passage] ?? 0 };
      if (last === undefined || comesBefore(ranked, last) < 0)
        better.push({ ...ranked, page, passage, ...page.rangeOf(passage) });
    }
    if (better.length > 0) best = [...best, ...better].sort(comesBefore).slice(0, kept);
  }
  return best;
}

const waysIn = (
  { page, passage }: Pick<Ranked, "page" | "passage">,
  { words, shareOf }: PassageQuestion,
): readonly (readonly PassageWay[])[] =>
  words.map(({ ways }) =>
    ways.map((way) => {
      const { everywhere, counts } = timesOf(page, way);
      const times = everywhere + (counts.get(passage) ?? 0);
      return { times, score: worthOf(way, times, shareOf) };
    }),
  );

/** What a way is worth that is held so many times. */
const worthOf = ({ factor }: ScoredWay, times: number, shareOf: PassageQuestion["shareOf"]): number =>
  times === 0 ? 0 : factor * shareOf(times);

type Rank = Pick<Ranked, "score" | "phrases">;
const comesBefore = (a: Rank, b: Rank): number => b.phrases - a.phrases || b.score - a.score;

/** By passage; what title and properties hold counts in each. */
function scoresIn(page: PassagePage, { words, shareOf }: PassageQuestion): Float64Array {
  const scores = new Float64Array(page.passages + 1);
  const ofWord = new Float64Array(page.passages + 1);
  for (const { ways, areDisjoint } of words) {
    ofWord.fill(0);
    for (const way of ways) addWay(timesOf(page, way), ofWord, areDisjoint, (times) => worthOf(way, times, shareOf));
    for (const [passage, score] of ofWord.entries()) scores[passage] = (scores[passage] as number) + score;
  }
  return scores;
}

/** How often a way is held by what belongs to all passages of a page, and by some of them themselves. */
interface Times {
  readonly everywhere: number;
  readonly counts: ReadonlyMap<number, number>;
}

function timesOf(page: PassagePage, { term, parts }: ScoredWay): Times {
  const counts = parts === undefined ? countsOf(page, term) : countsOfAll(page, parts);
  const everywhere = counts.get(0) ?? 0;
  counts.delete(0);
  return { everywhere, counts };
}

function addWay(
  { everywhere, counts }: Times,
  scores: Float64Array,
  areDisjoint: boolean,
  worthOfTimes: (times: number) => number,
): void {
  const take = (passage: number, times: number): void => {
    const before = scores[passage] as number;
    scores[passage] = areDisjoint ? before + worthOfTimes(times) : Math.max(before, worthOfTimes(times));
  };
  if (everywhere === 0) return counts.forEach((times, passage) => take(passage, times));
  for (let passage = 1; passage < scores.length; passage++) take(passage, everywhere + (counts.get(passage) ?? 0));
}

/** How often each passage holds a term; 0 stands for title and properties. */
function countsOf(page: PassagePage, term: string): Map<number, number> {
  const counts = new Map<number, number>();
  page.visit(term, (passage, times) => void counts.set(passage, times));
  return counts;
}

/** Once for each passage that holds all parts, be it by title and properties. */
function countsOfAll(page: PassagePage, parts: readonly (readonly string[])[]): Map<number, number> {
  const held = parts.map((terms) => new Set(terms.flatMap((term) => [...countsOf(page, term).keys()])));
  const passages = new Set(held.flatMap((each) => [...each]));
  const isHeldIn = (passage: number): boolean => held.every((each) => each.has(passage) || each.has(0));
  return new Map([...passages].filter(isHeldIn).map((passage) => [passage, 1]));
}

/** How many of the phrases each passage may hold, by its words; null where none is required. */
function phrasesIn(page: PassagePage, phrases: PassageQuestion["phrases"]): Float64Array | null {
  if (phrases.length === 0) return null;
  const found = new Float64Array(page.passages + 1);
  for (const sequences of phrases)
    for (const terms of sequences) addPhrase(page, [...new Set(terms)].slice(0, phraseBits), found);
  return found;
}

function addPhrase(page: PassagePage, terms: readonly string[], found: Float64Array): void {
  const all = 2 ** terms.length - 1;
  const held = new Int32Array(page.passages + 2);
  terms.forEach((term, bit) => page.visit(term, (passage) => (held[passage] = (held[passage] as number) | (1 << bit))));
  for (let passage = 1; passage <= page.passages; passage++) {
    const here = held[passage] as number;
    if (here === all) found[passage] = (found[passage] as number) + 1;
    else if ((here | (held[passage + 1] as number)) === all) found[passage] = (found[passage] as number) + 0.5;
  }
}
