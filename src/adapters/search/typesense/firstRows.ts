import { LRUCache } from "lru-cache";
import { candidateFields, type FoundRow } from "./candidates.js";
import type { EngineSearch } from "./connection.js";
import { shortHash } from "./encoding.js";
import { foundBy, isUnanswerable, matchingSearch, rankingSearch, type Plan } from "./plan.js";
import { scored } from "./resultPages.js";
import type { ServedPosition, StatedAnswers } from "./servedPosition.js";
import { keyOfState } from "./stateCollection.js";
import type { TermStatistics } from "./termStatistics.js";

/** How many rows are remembered: a kilobyte each, of usual documents. */
const mostRows = 20_000;

/**
 * Few rows that were found, for as long as the index stands still: for who turns pages or asks again. The engine takes
 * several times longer to read rows than to tell that nothing has changed.
 */
export class RememberedRows {
  private readonly known = new LRUCache<string, StatedAnswers<FoundRow>>({
    ...{ maxSize: mostRows, sizeCalculation: ({ answers }) => 1 + rowsIn(answers) },
  });

  async ask(searches: readonly EngineSearch[], served: ServedPosition): Promise<StatedAnswers<FoundRow>> {
    const key = shortHash(JSON.stringify(searches));
    const known = this.known.get(key);
    if (known !== undefined) {
      const { state } = await served.ask([]);
      if (keyOfState(state) === keyOfState(known.state)) return { answers: known.answers, state };
    }
    const found = await served.ask<FoundRow>(searches);
    if (isWhole(found) && found.answers.every((answer) => answer.search_cutoff !== true)) this.known.set(key, found);
    return found;
  }
}

const rowsIn = (answers: StatedAnswers<FoundRow>["answers"]): number =>
  answers.reduce((sum, { hits }) => sum + hits.length, 0);

const isWhole = ({ answers }: StatedAnswers<FoundRow>): boolean => answers.every(({ found }) => found <= scored);

interface Asked {
  readonly remembered: RememberedRows;
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
  { remembered, served, collection, statistics }: Asked,
): Promise<StatedAnswers<FoundRow>> {
  const demands = plan.filter === null || isUnanswerable(plan) ? [] : plan.demands;
  const searchesBy = (search: typeof matchingSearch): readonly EngineSearch[] =>
    demands.map((demand): EngineSearch => ({
      ...search(collection, plan, demand),
      include_fields: candidateFields,
      per_page: scored,
    }));
  if (isFew(plan, statistics)) {
    const all = await remembered.ask(searchesBy(matchingSearch), served);
    // More may have come since words were counted.
    if (isWhole(all)) return all;
  }
  return served.ask<FoundRow>(searchesBy(rankingSearch));
}
