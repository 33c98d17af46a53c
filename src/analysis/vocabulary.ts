import { distanceWithin } from "../shared/editDistance.js";
import { endingOf } from "./compoundWords.js";
import { isStopWord } from "./stopWords.js";

const shortestWord = 4;
const longestWord = 40;
/** Keys are made of a word's first letters only: more would add keys, but select no better. */
const keyedLetters = 12;
const sharedPrefix = 4;
const wordsOfLetters = /^\p{L}+$/u;

/** A word of the vocabulary that may be what was meant. */
interface Candidate {
  readonly word: string;
  /** In how many documents it stands. */
  readonly documents: number;
}

/** A candidate within the distance allowed. */
interface Correction extends Candidate {
  readonly distance: number;
}

/** Where candidates for an unknown or rare query word are found. */
interface TypoLookup {
  /** Words that carry any of these keys. */
  readonly keys: readonly string[];
  /** The beginning of words that may be two errors away; null where only one error is allowed. */
  readonly prefix: string | null;
  /** The same of the ends of words, backwards, as `endingOf` gives them. */
  readonly ending: string | null;
}

/** How many edits are allowed: none below 4 letters, one up to 7, two above. */
export const allowedDistance = (word: string): 0 | 1 | 2 => (word.length < shortestWord ? 0 : word.length < 8 ? 1 : 2);

const isCorrectable = (word: string): boolean =>
  word.length >= shortestWord && word.length <= longestWord && isOfLetters(word);

/**
 * The keys to store with a word of the vocabulary: its first 12 letters, and these with each one left out. At most 13;
 * none for words outside of typo tolerance (numbers, under 4 or over 40 letters).
 */
export function typoKeys(word: string): readonly string[] {
  if (!isCorrectable(word) && !isCorrectable(`${word}x`)) return [];
  const start = word.slice(0, keyedLetters);
  return [start, ...withOneLeftOut(start)];
}

/**
 * What to look up for a query word; null where it is not to be corrected. Finds every word within one edit, and nine of
 * ten within two.
 */
export function typoLookup(word: string): TypoLookup | null {
  if (!isCorrectable(word) || !isTelling(word)) return null;
  const start = word.slice(0, keyedLetters);
  const once = withOneLeftOut(start);
  if (allowedDistance(word) === 1) return { keys: [start, ...once], prefix: null, ending: null };
  const changed = [...once, ...withTwoSwapped(start)];
  return {
    keys: [...new Set([start, ...changed, ...changed.flatMap(withOneLeftOut)])],
    prefix: word.slice(0, sharedPrefix),
    ending: endingOf(word)?.slice(0, Math.ceil(word.length / 2)) ?? null,
  };
}

const withOneLeftOut = (word: string): string[] => [
  ...new Set(Array.from(word, (_letter, at) => word.slice(0, at) + word.slice(at + 1))),
];

const withTwoSwapped = (word: string): string[] =>
  Array.from(
    { length: word.length - 1 },
    (_unused, at) => word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
  );

/** Numbers and names with marks are no misspellings of words. */
export const isOfLetters = (word: string): boolean => wordsOfLetters.test(word);

/** Nobody means a stop word by a word that is unknown. */
const isTelling = (word: string): boolean => !isStopWord(word, "de") && !isStopWord(word, "en");

/** People mistype the first letter least: an error there counts as two. */
const beginAlike = (a: string, b: string): boolean => a.charAt(0) === b.charAt(0);

/**
 * The candidates within the allowed distance, without stop words: nearest first, then the more frequent, then in
 * alphabetical order.
 */
export function rankCorrections(word: string, candidates: readonly Candidate[]): readonly Correction[] {
  const allowed = allowedDistance(word);
  const near: Correction[] = [];
  for (const candidate of candidates) {
    const edits = distanceWithin(word, candidate.word, allowed);
    if (edits === null || edits === 0 || !isTelling(candidate.word)) continue;
    const distance = edits + (beginAlike(word, candidate.word) ? 0 : 1);
    if (distance <= allowed) near.push({ ...candidate, distance });
  }
  return near.sort((a, b) => a.distance - b.distance || b.documents - a.documents || (a.word < b.word ? -1 : 1));
}
