import { partsOf, type QueryPart } from "./queryParts.js";
import { sequenceIn } from "./queryTokens.js";

const mostWords = 64;
const mostPhrases = 16;

/** How much of each a query may hold: every word is looked up, and every phrase is looked for in each candidate. */
export const queryBounds = {
  /** Different words that say something, without those that are excluded. Of more, those that tell most are looked for. */
  words: mostWords,
  phrases: mostPhrases,
  /** Excluded words and phrases. */
  exclusions: mostPhrases,
  phraseWords: mostWords,
} as const;

/** What a query holds too much of. */
export interface QueryExcess {
  readonly of: Exclude<keyof typeof queryBounds, "words">;
  readonly found: number;
}

/** No shorter query can hold too much: 17 exclusions of two letters each. */
const shortestExcess = 50;

/**
 * What `analyseQuery` would have to leave out of a query; null where all of it counts. To be asked first: a query that
 * is cut in silence finds what was excluded.
 */
export function excessOf(query: string): QueryExcess | null {
  if (query.length < shortestExcess) return null;
  const parts = partsOf(query);
  const sequenceLengths = (kept: readonly QueryPart[]): readonly number[] =>
    kept.map(({ text }) => sequenceIn(text).length).filter((length) => length > 0);
  const wanted = parts.filter((part) => !part.isExcluded);
  const quoted = sequenceLengths(wanted.filter((part) => part.isQuoted));
  const excluded = sequenceLengths(parts.filter((part) => part.isExcluded));
  const found = {
    phrases: quoted.length,
    exclusions: excluded.length,
    phraseWords: Math.max(0, ...quoted, ...excluded),
  };
  const kinds = Object.keys(found) as (keyof typeof found)[];
  const of = kinds.find((kind) => found[kind] > queryBounds[kind]);
  return of === undefined ? null : { of, found: found[of] };
}
