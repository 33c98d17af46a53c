/** Means over questions, of the first ten results. */
export interface RelevanceScores {
  /** One over the rank of the first answer. */
  readonly reciprocalRank: number;
  /** Gains discounted by the logarithm of their rank, against the best order there is. */
  readonly discountedGain: number;
  /** Share of the answers that are among the ten. */
  readonly recall: number;
}

const depth = 10;

/** Scores one question's results: document ids, best first. */
export function scoreResults(results: readonly string[], gains: ReadonlyMap<string, number>): RelevanceScores {
  const found = results.slice(0, depth).map((id) => gains.get(id) ?? 0);
  const first = found.findIndex((gain) => gain > 0);
  const best = [...gains.values()].sort((a, b) => b - a).slice(0, depth);
  return {
    reciprocalRank: first < 0 ? 0 : 1 / (first + 1),
    discountedGain: discounted(best) === 0 ? 0 : discounted(found) / discounted(best),
    recall: gains.size === 0 ? 0 : found.filter((gain) => gain > 0).length / gains.size,
  };
}

const discounted = (gains: readonly number[]): number =>
  gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);

/** The mean of each score. */
export function meanScores(scores: readonly RelevanceScores[]): RelevanceScores {
  const mean = (pick: (score: RelevanceScores) => number): number =>
    scores.reduce((sum, score) => sum + pick(score), 0) / Math.max(1, scores.length);
  return {
    reciprocalRank: mean((score) => score.reciprocalRank),
    discountedGain: mean((score) => score.discountedGain),
    recall: mean((score) => score.recall),
  };
}
