import type { Language } from "../../../shared/texts.js";
import type { EngineSearch } from "./connection.js";
import { searchCutoffMs, type Demand } from "./phrases.js";
import type { RunnableWord } from "./queryWords.js";
import { rankingOrder } from "./rankingOrder.js";
import type { SoughtTitle } from "./titleWords.js";
import { holdingAny, tellingTerms } from "./wordFilters.js";

/** A query as it is run. */
export interface Plan {
  readonly words: readonly RunnableWord[];
  readonly demands: readonly Demand[];
  /** The reader's language; null: not known. */
  readonly readers: Language | null;
  /** null: none. */
  readonly title: SoughtTitle | null;
  /** null: nothing may be shown. */
  readonly filter: string | null;
  /** What else a document has to pass to be a match; left out: any word is enough. */
  readonly match?: string;
}

/** None of its words is known, and no phrase is demanded that could be met. */
export const isUnanswerable = ({ words, demands }: Plan): boolean =>
  demands.every(({ required }) => required.length === 0) && words.every(({ ways }) => ways.length === 0);

/** The search for all documents that meet a demand, in no order. */
export function matchingSearch(
  collection: string,
  { words, filter, match }: Plan,
  { required, q }: Demand,
): EngineSearch {
  // Documents that hold the demanded phrases hold enough of its words.
  const filters = required.length > 0 ? [filter ?? ""] : [filter ?? "", match ?? holdingAny(words)];
  return {
    collection,
    q,
    query_by: "s",
    filter_by: filters.join(" && "),
    prefix: false,
    num_typos: 0,
    search_cutoff_ms: searchCutoffMs,
  };
}

/** The terms of which a document that is found without phrases holds one. */
export const foundBy = ({ words }: Plan): readonly string[] => words.flatMap(({ ways }) => tellingTerms(ways));

/** The same in the engine's own order. */
export const rankingSearch = (collection: string, plan: Plan, demand: Demand): EngineSearch => ({
  ...matchingSearch(collection, plan, demand),
  sort_by: rankingOrder(plan.words, plan.title),
});
