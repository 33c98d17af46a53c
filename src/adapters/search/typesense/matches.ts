import { asksForMany, leastScoreOfOneWord, tellsAlone, wordsOfMatch } from "../../../analysis/rankingRules.js";
import { titleWordsOf } from "../../../analysis/suggesting.js";
import { placeOfWord } from "../titleTerms.js";
import type { Candidate } from "./candidates.js";
import type { EngineAnswer, EngineSearch } from "./connection.js";
import { matchingSearch, type Plan } from "./plan.js";
import type { AskedWord } from "./queryAsRead.js";
import type { Expansion, RunnableWord } from "./queryWords.js";
import type { Run } from "./resultPages.js";
import type { TermStatistics } from "./termStatistics.js";
import { engineWord } from "./encoding.js";
import { holdingTwoOf } from "./wordFilters.js";

/** What tells matches from documents that hold one common word of many. */
interface Matching {
  /** The filter that matches pass. */
  readonly filter: string;
  /** Those of the best that are none, by id. */
  readonly weak: ReadonlySet<string>;
  /** How many of the best are matches by the one word that they hold. */
  readonly named: number;
  /** Whether all that was found is among the best. */
  readonly isWhole: boolean;
  /** Whether the engine tells as we do which documents hold two of the words. */
  readonly isAgreed: boolean;
}

/** For a name by its parts, the engine is asked for the rarest part alone. */
const isAgreedOn = (words: readonly RunnableWord[]): boolean =>
  words.every(({ ways }) => ways.every(({ parts }) => parts === undefined));

/**
 * The search that counts documents which hold two of many words, to be asked beside the first run: its answer is all
 * that is missing where none of the best is weak. null: any word is enough, or it would not tell.
 */
export function matchCount(collection: string, plan: Plan, words: readonly AskedWord[]): EngineSearch | null {
  const asked = words.flatMap(({ word, isAsked }) => (isAsked ? [word] : []));
  const [demand, another] = plan.demands;
  if (demand === undefined || another !== undefined || plan.filter === null) return null;
  if (!asksForMany({ words: asked.length, unknown: 0 }) || !isAgreedOn(asked)) return null;
  return { ...matchingSearch(collection, { ...plan, match: holdingTwoOf(asked, []) }, demand), per_page: 0 };
}

/**
 * Documents that hold one word and score well are matches, too, as far as they are among those that the engine put
 * first; null: all are matches. `words` are those of the run's plan.
 */
export function matchingIn(
  { best, found }: Run,
  words: readonly AskedWord[],
  statistics: TermStatistics,
): Matching | null {
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
  const telling = Number.isFinite(least) ? [] : tellingWords(words, statistics);
  const named = few.filter((candidate) => scoreOf(candidate) >= least || telling.some((tells) => tells(candidate)));
  const isAllThere = found.reduce((sum, documents) => sum + documents, 0) <= best.length;
  if (isAllThere && named.length === few.length) return null;
  const askedWords = asked.map((index) => (words[index] as AskedWord).word);
  const isNamed = new Set(named.map(({ id }) => id));
  return {
    filter: holdingTwoOf(askedWords, [...isNamed]),
    weak: new Set(few.flatMap(({ id }) => (isNamed.has(id) ? [] : [id]))),
    named: isNamed.size,
    isWhole: isAllThere,
    isAgreed: isAgreedOn(askedWords),
  };
}

/** Makes the functions that tell of a candidate whether it is a match by this word alone. */
function tellingWords(
  words: readonly AskedWord[],
  statistics: TermStatistics,
): readonly ((candidate: Candidate) => boolean)[] {
  return words.flatMap(({ word: { typed, expansions, ways }, isAsked }, index) => {
    const asTyped = expansions.filter(({ reading }) => reading === "as_typed").flatMap((expansion) => expansion.ways);
    const documents = statistics.mostWith(asTyped.map(({ term }) => term));
    if (!isAsked || documents === 0) return [];
    const places = asTyped.map((way) => ways.indexOf(way));
    const word = { typed, documents, all: statistics.all };
    const sought = titleWordsOf(typed).words.map(engineWord);
    return ({ counts, titleWords }: Candidate): boolean =>
      places.some((place) => (counts[index]?.[place] ?? 0) > 0) &&
      tellsAlone(word, placeOfWord(titleWords.split(" "), sought));
  });
}

/**
 * What is left of a run, where that is known; null: the engine has to be asked. `counted`: what {@link matchCount}
 * found; null: it was not asked for these words.
 */
export function withoutWeak(
  run: Run,
  { filter, weak, named, isWhole, isAgreed }: Matching,
  counted: EngineAnswer<unknown> | null,
): Run | null {
  if (!isAgreed) return null;
  const plan = { ...run.plan, match: filter };
  if (isWhole) {
    const best = run.best.filter(({ id }) => !weak.has(id));
    return { ...run, plan, best, found: [best.length] };
  }
  if (weak.size > 0 || counted === null) return null;
  return { ...run, plan, found: [counted.found + named], isPartial: run.isPartial || counted.search_cutoff === true };
}
