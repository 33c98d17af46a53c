import { countedLength, lengthNormalisation, longestWhole } from "../../../analysis/rankingRules.js";

/** BM25's k1: how fast further occurrences of a term count less. */
const saturation = 1.2;

/** BM25 before rarity is `most * f / (f + norms[length])`, with the frequency f and a document's terms. */
export interface Bm25 {
  readonly most: number;
  /** By a document's terms, up to one more than `longestWhole`, which stands for all longer ones. */
  readonly norms: Float64Array;
}

/** @param averageLength how many terms a document has on average. */
export function bm25For(averageLength: number): Bm25 {
  const norms = new Float64Array(longestWhole + 2);
  for (const terms of norms.keys()) {
    const length = countedLength(terms, averageLength) / averageLength;
    norms[terms] = saturation * (1 - lengthNormalisation + lengthNormalisation * length);
  }
  return { most: saturation + 1, norms };
}
