import { mostPhrases, mostWords, partsOf, type QueryPart } from "./queryParts.js";
import { sequenceIn } from "./queryTokens.js";

/** How much of each a query may hold: every word is looked up, and every phrase is looked for in each candidate. */
export const queryBounds = {
  /**
   * Different words that say something, without the excluded ones. Where there are more, the search takes those that
   * tell most.
   */
  words: mostWords,
  phrases: mostPhrases,
  /** Excluded words and phrases. */
  exclusions: mostPhrases,
  phraseWords: mostWords,
} as const;

/** What a query holds too much of. */
export interface QueryExcess {
  readonly of: Exclude<keyof typeof queryBounds, "words" | "phrases">;
  readonly found: number;
}

/** No shorter query can hold too much: 17 exclusions of two letters each. */
const shortestExcess = 50;

/**
 * What `analyseQuery` would have to leave out of a query; null where all of it counts. Callers ask this first: a query
 * that is cut in silence finds what was excluded. More phrases than may be demanded are no excess: such a text was
 * pasted, and demands none.
 */
export function excessOf(query: string): QueryExcess | null {
  if (query.length < shortestExcess) return null;
  const parts = partsOf(query);
  const sequenceLengths = (kept: readonly QueryPart[]): readonly number[] =>
    kept.map(({ text }) => sequenceIn(text).length).filter((length) => length > 0);
  const quoted = sequenceLengths(parts.filter((part) => part.isQuoted && !part.isExcluded));
  const excluded = sequenceLengths(parts.filter((part) => part.isExcluded));
  const found = { exclusions: excluded.length, phraseWords: Math.max(0, ...quoted, ...excluded) };
  const kinds = Object.keys(found) as (keyof typeof found)[];
  const of = kinds.find((kind) => found[kind] > queryBounds[kind]);
  return of === undefined ? null : { of, found: found[of] };
}
