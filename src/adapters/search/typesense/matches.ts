import { asksForMany, leastScoreOfOneWord, wordsOfMatch } from "../../../analysis/rankingRules.js";
import type { Candidate } from "./candidates.js";
import type { AskedWord } from "./queryAsRead.js";
import type { Expansion } from "./queryWords.js";
import type { Run } from "./resultPages.js";
import { holdingTwoOf } from "./wordFilters.js";

/**
 * The filter that tells matches from documents that hold one common word of many; null: all are matches. Documents that
 * hold one word and score well are named in it, as far as they are among those that the engine put first. `words` are
 * those of the run's plan.
 */
export function matchOf({ best, found }: Run, words: readonly AskedWord[]): string | null {
  const asked = words.flatMap(({ isAsked }, index) => (isAsked ? [index] : []));
  const isKnown = ({ reading, ways }: Expansion): boolean =>
    reading !== "correction" && ways.some(({ isSeen }) => isSeen);
  const isUnknown = (index: number): boolean => words[index]?.word.expansions.some(isKnown) !== true;
  const many = { words: asked.length, unknown: asked.filter(isUnknown).length };
  if (!asksForMany(many)) return null;
  const scoreOf = ({ score, worth, title }: Candidate): number => score / worth - title;
  const least = leastScoreOfOneWord(many, Math.max(0, ...best.map(scoreOf)));
  const heldBy = ({ counts }: Candidate): number =>
    asked.filter((index) => counts[index]?.some((count) => count > 0) === true).length;
  const few = best.filter((candidate) => heldBy(candidate) < wordsOfMatch);
  const named = few.filter((candidate) => scoreOf(candidate) >= least);
  const isWhole = found.reduce((sum, documents) => sum + documents, 0) <= best.length;
  if (isWhole && named.length === few.length) return null;
  return holdingTwoOf(
    asked.map((index) => (words[index] as AskedWord).word),
    named.map(({ id }) => id),
  );
}
