import type { ExplainedMatch, Explanation } from "../readModels/explanation.js";
import type { ExplainedMatchAnswer, ExplanationAnswer } from "./messages/explanationAnswer.js";

const toMatchAnswer = ({ reading, written, fields, ...match }: ExplainedMatch): ExplainedMatchAnswer => ({
  reading,
  written: [...written],
  fields: fields.map(({ field, weight }) => ({ field, weight })),
  occurrences: match.occurrences,
  weight: match.weight,
  rarity: match.rarity,
  share: match.share,
  score: match.score,
});

/** Why a hit is where it is, in the API's words. */
export const toExplanationAnswer = ({
  score: total,
  scored,
  passage,
  languageFactor,
  words,
  bonuses,
  fusion,
  reranked,
}: Explanation): ExplanationAnswer => ({
  score: total,
  scored,
  ...(passage && { passage: { start: passage.start, end: passage.end } }),
  language_factor: languageFactor,
  words: words.map(({ word, score, matches }) => ({ word, score, matches: matches.map(toMatchAnswer) })),
  bonuses: bonuses.map(({ bonus, score }) => ({ bonus, score })),
  ...(fusion && { fusion: { by_words: fusion.byWords, by_meaning: fusion.byMeaning, worth: fusion.worth } }),
  ...(reranked && { reranked: { before: reranked.before, after: reranked.after } }),
});
