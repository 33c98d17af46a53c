import { candidateFields, type FoundRow } from "./candidates.js";
import type { EngineSearch } from "./connection.js";
import { foundBy, isUnanswerable, matchingSearch, rankingSearch, type Plan } from "./plan.js";
import { scored } from "./resultPages.js";
import type { ServedPosition, StatedAnswers } from "./servedPosition.js";
import type { TermStatistics } from "./termStatistics.js";

interface Asked {
  readonly served: ServedPosition;
  readonly collection: string;
  readonly statistics: TermStatistics;
}

/** Whether no more documents hold any of its words than are scored, as far as they were counted. */
export const isFew = (plan: Plan, statistics: TermStatistics): boolean => statistics.mostWith(foundBy(plan)) <= scored;

/**
 * What a plan finds, by demand: the rows that the engine puts first, as many as are scored. Its order costs more than
 * all the rest, since the engine counts in documents that the person is not shown. So what is not more than is scored
 * anyway is asked for without it.
 */
export async function firstRows(
  plan: Plan,
  { served, collection, statistics }: Asked,
): Promise<StatedAnswers<FoundRow>> {
  const demands = plan.filter === null || isUnanswerable(plan) ? [] : plan.demands;
  const ask = (search: typeof matchingSearch): Promise<StatedAnswers<FoundRow>> =>
    served.ask<FoundRow>(
      demands.map((demand): EngineSearch => ({
        ...search(collection, plan, demand),
        include_fields: candidateFields,
        per_page: scored,
      })),
    );
  if (isFew(plan, statistics)) {
    const all = await ask(matchingSearch);
    // More may have come since words were counted.
    if (all.answers.every(({ found }) => found <= scored)) return all;
  }
  return ask(rankingSearch);
}
