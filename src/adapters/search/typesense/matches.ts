import { asksForMany, leastScoreOfOneWord, wordsOfMatch } from "../../../analysis/rankingRules.js";
import type { Candidate } from "./candidates.js";
import type { AskedWord } from "./queryAsRead.js";
import type { Expansion } from "./queryWords.js";
import type { Run } from "./resultPages.js";
import { holdingTwoOf } from "./wordFilters.js";

/** What tells matches from documents that hold one common word of many. */
export interface Matching {
  /** The filter that matches pass. */
  readonly filter: string;
  /** Those of the best that are none, by id. */
  readonly weak: ReadonlySet<string>;
  /** Whether all that was found is among the best, and the engine tells as we do which of them are matches. */
  readonly isWhole: boolean;
}

/**
 * Documents that hold one word and score well are matches, too, as far as they are among those that the engine put
 * first; null: all are matches. `words` are those of the run's plan.
 */
export function matchingIn({ best, found }: Run, words: readonly AskedWord[]): Matching | null {
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
  const isAllThere = found.reduce((sum, documents) => sum + documents, 0) <= best.length;
  if (isAllThere && named.length === few.length) return null;
  const askedWords = asked.map((index) => (words[index] as AskedWord).word);
  const isNamed = new Set(named.map(({ id }) => id));
  return {
    filter: holdingTwoOf(askedWords, [...isNamed]),
    weak: new Set(few.flatMap(({ id }) => (isNamed.has(id) ? [] : [id]))),
    // Of a name held by its parts, the engine is asked for the rarest one alone.
    isWhole: isAllThere && askedWords.every(({ ways }) => ways.every(({ parts }) => parts === undefined)),
  };
}

/** What is left of a run whose documents are all known. */
export function withoutWeak(run: Run, { filter, weak }: Matching): Run {
  const best = run.best.filter(({ id }) => !weak.has(id));
  return { ...run, plan: { ...run.plan, match: filter }, best, found: [best.length] };
}
