/** What a word that continues the last one is worth, against the word as typed. */
export const completionWorth = 0.5;

/**
 * Once its completions stand in so many places together, no further ones are taken in: bounds what a short beginning
 * costs.
 */
export const completedPlaces = 50_000;

/** Words of the vocabulary that are looked through for those that continue one. */
export const wordsLookedThrough = 2_000;

/** Words that continue one at most. */
export const mostCompletions = 24;

/** Says too little to be continued; in scripts without spaces a single character says enough. */
const tooShort = /^[a-z0-9]?$/;

/** False for a beginning that says too little to be continued. */
export const canBeContinued = (beginning: string): boolean => !tooShort.test(beginning);

/** Of words that begin with this one those that are most likely being typed: the shortest, the word itself left out. */
export const likeliestCompletions = (beginning: string, words: readonly string[]): readonly string[] =>
  words
    .filter((word) => word.length > beginning.length && word.startsWith(beginning))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .slice(0, mostCompletions);
