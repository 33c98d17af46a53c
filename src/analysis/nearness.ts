import { initialsOf } from "./initials.js";
import type { Language } from "../shared/texts.js";
import type { QueryWord } from "./analyseQuery.js";
import { languageWorth } from "./rankingRules.js";
import { forEachToken } from "./tokens.js";
import { type Surface, surfaceOf } from "./words.js";

/** Shares of a word's weight that each kind of nearness adds. */
export interface NearnessShares {
  readonly exact: number;
  readonly neighbours: number;
  readonly window: number;
}

/** What each brings by itself: docs/benchmarks.md, "Relevance". With half or twice of it the result hardly changes. */
export const usualShares: NearnessShares = { exact: 0.2, neighbours: 0.25, window: 0.25 };

/** How many tokens a window has: half a sentence. Whole ones made results worse. */
const windowTokens = 12;

/** No window and no pair of neighbours spans two fields. */
const gapAfterField = 1_000;

/** A word of the query with its inverse document frequency. */
export interface WeighedWord extends QueryWord {
  readonly weight: number;
}

/** A part of a text, in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A document by what speaks for it: its text, or the best passage of a long one. */
export interface Candidate {
  readonly title: string;
  readonly text: string;
  /** The passage of the text; left out: all of it. */
  readonly passage?: TextRange;
  /** What it is called besides its title: its author, its file. Left out: nothing. */
  readonly names?: readonly string[];
  /** The language that the document was analysed in. */
  readonly language: Language | null;
}

interface Occurrence {
  readonly at: number;
  /** Index of the word in the query. */
  readonly word: number;
}

type MayBegin = ReturnType<typeof initialsOf>;
/** Stands for a surface that need not be looked up. */
const notSought = Symbol("a surface that is not sought");

interface Found {
  readonly occurrences: Occurrence[];
  /** Indexes of the words that stand in the candidate as typed. */
  readonly exact: Set<number>;
}

/**
 * What candidates deserve above their BM25 score, in the same unit. A word that stands in the candidate exactly as
 * typed counts extra; so do words that are neighbours in query and document alike (at the same distance, so `Haus am
 * See` is one), and words that stand together within a sentence. It orders the first hits anew: BM25 alone knows none
 * of the three.
 */
export function nearnessOf(
  words: readonly WeighedWord[],
  shares: NearnessShares = usualShares,
): (candidate: Candidate) => number {
  const sought = new Map(words.flatMap((word, index) => word.terms.map((term) => [term, index] as const)));
  const mayBegin = initialsOf([...sought.keys()]);
  return ({ title, text, passage = wholeOf(text), names = [], language }) => {
    const found: Found = { occurrences: [], exact: new Set() };
    // One word stands near to no other.
    const isAllSeen = (): boolean => words.length === 1 && found.exact.size === 1;
    const see = (surface: Surface, at: number): boolean => {
      const word = sought.get(surface.word.termIn(language));
      if (word === undefined) return false;
      found.occurrences.push({ at, word });
      if (words[word]?.word === surface.word.text) found.exact.add(word);
      return isAllSeen();
    };
    let next = 0;
    const look = (field: string, range = wholeOf(field)): void => {
      if (!isAllSeen()) next = forEachSurface(field, range, next, mayBegin, see) + gapAfterField;
    };
    look(title);
    for (const name of names) look(name);
    look(text, passage);
    return bonus(found, words, shares);
  };
}

/**
 * Orders ranked documents anew by their score with nearness, which counts as much as the score does in a document's
 * language. Equal documents come newer first, as `newerFirst` compares them. Documents that nearness was added to say
 * so.
 */
export function reorderByNearness<Ranked extends Candidate & { readonly score: number }>(
  ranked: readonly Ranked[],
  { typed, readers }: { readonly typed: readonly WeighedWord[]; readonly readers: Language | null },
  newerFirst: (a: Ranked, b: Ranked) => number,
): readonly (Ranked & { readonly hasNearness: true })[] {
  const nearness = nearnessOf(typed);
  const near = (document: Ranked): number => nearness(document) * languageWorth(document.language, readers);
  return ranked
    .map((document) => ({ ...document, score: document.score + near(document), hasNearness: true as const }))
    .sort((a, b) => b.score - a.score || newerFirst(a, b));
}

const wholeOf = (text: string): TextRange => ({ start: 0, end: text.length });

/**
 * Numbers the surfaces from `first` on, and visits those that may be sought, until `see` returns true. Returns the
 * number after the last.
 */
function forEachSurface(
  text: string,
  range: TextRange,
  first: number,
  mayBegin: MayBegin,
  see: (surface: Surface, at: number) => boolean,
): number {
  let at = first;
  forEachToken(text, range.start, range.end, (start, end) => {
    const surface = mayBegin(text, start) ? surfaceOf(text.slice(start, end)) : notSought;
    if (surface === null) return false;
    at += 1;
    return surface !== notSought && see(surface, at - 1);
  });
  return at;
}

const bonus = ({ occurrences, exact }: Found, words: readonly WeighedWord[], shares: NearnessShares): number =>
  shares.exact * sum([...exact], words) +
  shares.neighbours * neighbourWorth(occurrences, words) +
  shares.window * bestWindowWorth(occurrences, words);

const weightOf = (word: number, words: readonly WeighedWord[]): number => words[word]?.weight ?? 0;
const sum = (indexes: readonly number[], words: readonly WeighedWord[]): number =>
  indexes.reduce((total, word) => total + weightOf(word, words), 0);

/** Each pair of words that follow each other in the query counts once, with the weight of the less telling one. */
function neighbourWorth(occurrences: readonly Occurrence[], words: readonly WeighedWord[]): number {
  const wordAt = new Map(occurrences.map(({ at, word }) => [at, word]));
  const pairs = new Set<number>();
  for (const { at, word } of occurrences) {
    const distance = (words[word + 1]?.position ?? 0) - (words[word]?.position ?? 0);
    if (distance > 0 && wordAt.get(at + distance) === word + 1) pairs.add(word);
  }
  return [...pairs].reduce((total, word) => total + Math.min(weightOf(word, words), weightOf(word + 1, words)), 0);
}

/** The weight of the distinct words in the window that holds most. */
function bestWindowWorth(occurrences: readonly Occurrence[], words: readonly WeighedWord[]): number {
  const inside = words.map(() => 0);
  let best = 0;
  let worth = 0;
  let first = 0;
  for (const { at, word } of occurrences) {
    if (inside[word] === 0) worth += weightOf(word, words);
    inside[word] = (inside[word] ?? 0) + 1;
    for (
      let oldest = occurrences[first];
      oldest !== undefined && at - oldest.at >= windowTokens;
      oldest = occurrences[first]
    ) {
      inside[oldest.word] = (inside[oldest.word] ?? 1) - 1;
      if (inside[oldest.word] === 0) worth -= weightOf(oldest.word, words);
      first += 1;
    }
    best = Math.max(best, worth);
  }
  return best;
}
