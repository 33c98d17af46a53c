import { lengthNormalisation } from "../../../analysis/rankingRules.js";

/** BM25's k1 as FTS5 has it: how fast further occurrences of a term count less. */
const saturation = 1.2;
/** BM25's b as FTS5 has it: by how much a longer document counts less. */
const lengthNormalisationOfFts5 = 0.75;

/** BM25 before rarity. A document's length is relative to the average length. */
export const weightOf = (frequency: number, length: number): number =>
  (frequency * (saturation + 1)) / (frequency + saturation * (1 - lengthNormalisation + lengthNormalisation * length));

/**
 * FTS5's score of a row as {@link weightOf} weighs it, with a milder normalisation by length. `rarityScore` is the score
 * of a term that occurs endlessly often: (k1 + 1) times the inverse document frequency. That counts removed rows, and
 * dividing by it leaves the rest. It solves FTS5's weight for the frequency. FTS5's own average length also counts
 * removed documents, which changes the frequency only slightly.
 */
export function weightOfScore(score: number, rarityScore: number, length: number): number {
  const weight = (score / rarityScore) * (saturation + 1);
  const room = Math.max(1e-6, saturation + 1 - weight);
  const frequency = (weight * saturation * (1 - lengthNormalisationOfFts5 + lengthNormalisationOfFts5 * length)) / room;
  return weightOf(frequency, length);
}
