import { isOfMany } from "./rankingRules.js";

/** A word in at most this many of the person's documents is rare: it may be a compound; in none, a misspelling. */
export const rareDocuments = 2;

/** How many rare words of one query are looked into at most. */
export const mostRareWords = 8;

/** How many documents of a part or a correction are counted at most: more would not change the choice. */
export const countedDocuments = 100;

/** What a correction is worth, compared with the word as typed, by its distance: nothing holds the word itself. */
const correctionWorth = [1, 0.9, 0.7] as const;
const mostCorrections = 3;

/** Among many words, shorter ones are near to others by chance. */
const shortestOfMany = 6;

/** How a word that no document holds is looked for. */
interface Correctable {
  readonly asWhole: boolean;
  /** True: the word is also looked for as a misspelled part of compounds. */
  readonly asPart: boolean;
}

/**
 * A question of many words has words that no document holds, most of them spelled as they should be (`heißt`,
 * `kind of`): only longer ones are taken for others.
 */
export const correctable = (word: string, words: number): Correctable =>
  isOfMany(words) ? { asWhole: word.length >= shortestOfMany, asPart: false } : { asWhole: true, asPart: true };

/** A word that may have been meant, and in how many documents it stands. */
interface NearWord {
  readonly distance: number;
  readonly documents: number;
}

/** The nearest words first; where the distance is equal, the more frequent first. */
const nearestFirst = (a: NearWord, b: NearWord): number => a.distance - b.distance || b.documents - a.documents;

/**
 * Chooses which words that documents hold count as what was meant by one that none holds, each with its worth.
 */
export const convincingCorrections = <Near extends NearWord>(
  near: readonly Near[],
): readonly (Near & { readonly worth: number })[] =>
  near
    .filter(({ documents }) => documents > 0)
    .sort(nearestFirst)
    .slice(0, mostCorrections)
    .map((candidate) => ({ ...candidate, worth: correctionWorth[candidate.distance] ?? 0 }));
