import { countedLength, lengthNormalisation, longestWhole } from "../../../analysis/rankingRules.js";

/** BM25's k1 as FTS5 has it: how fast further occurrences of a term count less. */
const saturation = 1.2;
/** BM25's b as FTS5 has it: by how much a longer document counts less. */
const lengthNormalisationOfFts5 = 0.75;

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

/**
 * How often a term stands in a row, told by FTS5's score: exact, because it is a whole number. FTS5's own weight rests
 * on documents of everybody, so nothing else of it is used. `rarityScore` is the score of a term that occurs endlessly
 * often: (k1 + 1) times the inverse document frequency. `length` is relative to FTS5's average.
 */
export function frequencyOfScore(score: number, rarityScore: number, length: number): number {
  const share = score / rarityScore;
  const half = saturation * (1 - lengthNormalisationOfFts5 + lengthNormalisationOfFts5 * length);
  return Math.max(1, Math.round((share * half) / Math.max(1e-9, 1 - share)));
}
