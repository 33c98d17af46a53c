import type { QueryPhrase } from "../../../analysis/analyseQuery.js";
import { totalOf } from "../../../analysis/rankingRules.js";
import type { Correction, SearchOrder, SearchPage } from "../../../readModels/search.js";
import type { Visibility } from "./accessFilter.js";
import type { Candidate, CandidateScores } from "./candidates.js";
import type { TypesenseConnection } from "./connection.js";
import type { Directory } from "./directory.js";
import { LongDocuments } from "./longDocuments.js";
import { NewestFirst } from "./newestFirst.js";
import { rankingSearch, type Plan } from "./plan.js";
import { Presentation, type Ranked } from "./presentation.js";
import type { TypedWord } from "./queryWords.js";
import type { CheckpointState } from "./rows.js";
import type { CollectionNames } from "./schema.js";

/** The documents that the engine puts first are scored by us; those after them keep its order. */
export const scored = 100;
/** Below whatever a word adds: such documents come after those that were scored. */
const leastScore = 1e-6;

/** What one run of a plan found: its best documents, scored, in no order, and how many there are, by demand. */
export interface Run {
  readonly plan: Plan;
  readonly best: readonly Candidate[];
  readonly found: readonly number[];
  /** The engine ran out of time. */
  readonly isPartial: boolean;
  /** The state under which it was found. */
  readonly state: CheckpointState;
}

/** Which page of what a run found is asked for, and what it is put in order by. */
interface PageQuestion {
  readonly count: number;
  readonly startPage: number;
  readonly sort: SearchOrder;
  readonly typed: readonly TypedWord[];
  readonly phrases: readonly QueryPhrase[];
  /** Of the person's documents, in terms. */
  readonly averageLength: number;
  readonly visibility: Visibility;
  /** What words were taken for, folded. */
  readonly corrected: readonly Correction[];
}

/** Puts what a run found in order, page by page. */
export class ResultPages {
  private readonly longDocuments: LongDocuments;
  private readonly presentation: Presentation;
  private readonly newestFirst: NewestFirst;

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly names: CollectionNames,
    directory: Directory,
    candidates: CandidateScores,
  ) {
    this.longDocuments = new LongDocuments(connection, names.texts);
    this.presentation = new Presentation(connection, names.texts, directory);
    this.newestFirst = new NewestFirst(connection, names.documents, candidates);
  }

  async page(
    found: Run,
    { count, startPage, sort, typed, phrases, averageLength, visibility, corrected }: PageQuestion,
  ): Promise<SearchPage> {
    const settled = this.longDocuments.begin(found.plan.words, phrases, averageLength);
    const isByScore = sort === "relevance";
    const run = isByScore ? { ...found, best: await settled.rank(found.best) } : found;
    const offset = startPage * count;
    const total = run.found.reduce((sum, documents) => sum + documents, 0);
    const rules = { averageLength, readers: run.plan.readers, title: run.plan.title };
    const pageOf = (): Promise<readonly Ranked[]> =>
      isByScore ? this.rankedFrom(run, offset, count) : this.newestFirst.page(run, { offset, count }, rules);
    const ranked = offset >= total ? [] : await pageOf();
    return {
      ...(await this.presentation.present({
        ranked: isByScore ? run.best : null,
        page: ranked,
        offset,
        count,
        typed,
        sought: run.plan.words.map((word) => word.sought),
        readers: run.plan.readers,
        phrases,
        settled,
        visibility,
        corrected,
      })),
      ...totalOf(total),
      ...(run.isPartial && { totalRelation: "gte", partial: true }),
    };
  }

  /**
   * A stretch of the one order that all pages share: what was scored, then what the engine put after it, demand by
   * demand.
   */
  private async rankedFrom({ plan, best, found }: Run, offset: number, count: number): Promise<readonly Ranked[]> {
    const ranked: Ranked[] = best.slice(offset, offset + count);
    let begin = best.length;
    for (const [index, demand] of plan.demands.entries()) {
      const length = Math.max(0, (found[index] ?? 0) - scored);
      const from = Math.max(0, offset + ranked.length - begin);
      if (ranked.length < count && from < length) {
        const search = {
          ...rankingSearch(this.names.documents, plan, demand),
          include_fields: "id",
          offset: scored + from,
          limit: Math.min(count - ranked.length, length - from),
        };
        const [answer] = await this.connection.search<{ readonly id: string }>([search]);
        const place = begin + from;
        ranked.push(
          ...(answer?.hits ?? []).map(({ document: { id } }, at) => ({
            id,
            position: 0,
            score: leastScore / (place + at + 1),
          })),
        );
      }
      begin += length;
    }
    return ranked;
  }
}
