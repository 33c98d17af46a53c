import type { Candidate, CandidateScores, FoundRow, ScoringRules } from "./candidates.js";
import { candidateFields } from "./candidates.js";
import type { EngineSearch, TypesenseConnection } from "./connection.js";
import type { Demand } from "./phrases.js";
import { matchingSearch, type Plan } from "./plan.js";

/** The engine gives no more rows at once. */
const rowsPerSearch = 250;
const newestFirst = "modified(missing_values: last):desc,position:desc";

type DatedRow = FoundRow & { readonly modified?: number };

/** What a plan has found, and how many there are, by demand. */
interface Found {
  readonly plan: Plan;
  readonly found: readonly number[];
}

/** A stretch of what a plan found, those that were modified last first, whatever they score. */
export class NewestFirst {
  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collection: string,
    private readonly candidates: CandidateScores,
  ) {}

  async page(
    { plan, found }: Found,
    { offset, count }: { readonly offset: number; readonly count: number },
    rules: ScoringRules,
  ): Promise<readonly Candidate[]> {
    const possible = plan.demands.flatMap((demand, index) =>
      (found[index] ?? 0) > 0 ? [{ demand, found: found[index] as number }] : [],
    );
    const [only, ...others] = possible;
    // Each of several demands has an order of its own: they are merged from the beginning on.
    const from = others.length === 0 ? offset : 0;
    if (only === undefined || (others.length === 0 && offset >= only.found)) return [];
    const searches = possible.flatMap((one) =>
      this.searches(plan, one.demand, from, Math.min(offset + count, one.found)),
    );
    const answers = await this.connection.search<DatedRow>(searches);
    const rows = answers.flatMap(({ hits }) => hits.map(({ document }) => document));
    const page = rows.sort(byModified).slice(offset - from, offset - from + count);
    return this.candidates.score(page, plan.words, rules);
  }

  private searches(plan: Plan, demand: Demand, from: number, to: number): readonly EngineSearch[] {
    return Array.from({ length: Math.ceil((to - from) / rowsPerSearch) }, (_, index) => {
      const offset = from + index * rowsPerSearch;
      return {
        ...matchingSearch(this.collection, plan, demand),
        sort_by: newestFirst,
        include_fields: `${candidateFields},modified`,
        offset,
        limit: Math.min(rowsPerSearch, to - offset),
      };
    });
  }
}

const byModified = (a: DatedRow, b: DatedRow): number =>
  a.modified === b.modified ? b.position - a.position : (b.modified ?? -Infinity) - (a.modified ?? -Infinity);
