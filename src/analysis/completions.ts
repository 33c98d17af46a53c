/** What a word that completes the last one is worth, compared with the word as typed. */
export const completionWorth = 0.5;

/** Once completions stand in this many places together, no more are taken in. Bounds what a short beginning costs. */
export const completedPlaces = 50_000;

/** How many completions a word has at most. */
export const mostCompletions = 24;

/** Too little to complete. In scripts without spaces a single character says enough. */
const tooShort = /^[a-z0-9]?$/;

/** False for a beginning that says too little to be completed. */
export const canBeContinued = (beginning: string): boolean => !tooShort.test(beginning);

/** The order in which words of the vocabulary are taken: by nothing that other documents have a part in. */
export const shortestFirst = (a: string, b: string): number => a.length - b.length || Number(a > b) - Number(a < b);

/** The words that begin with this one and go on, likeliest first: the shortest. */
export const completionsInOrder = (beginning: string, words: readonly string[]): readonly string[] =>
  words.filter((word) => word.length > beginning.length && word.startsWith(beginning)).sort(shortestFirst);

/** The words that are most likely being typed. */
export const likeliestCompletions = (beginning: string, words: readonly string[]): readonly string[] =>
  completionsInOrder(beginning, words).slice(0, mostCompletions);
