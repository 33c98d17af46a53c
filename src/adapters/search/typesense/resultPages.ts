import type { QueryPhrase } from "../../../analysis/queryPhrases.js";
import { totalOf } from "../../../analysis/rankingRules.js";
import type { Correction, SearchOrder, SearchPage } from "../../../readModels/search.js";
import type { Visibility } from "./accessFilter.js";
import type { Candidate, CandidateScores } from "./candidates.js";
import type { TypesenseConnection } from "./connection.js";
import type { Directory } from "./directory.js";
import { hitExplanations } from "./hitExplanations.js";
import { LongDocuments } from "./longDocuments.js";
import { NewestFirst } from "./newestFirst.js";
import { rankingSearch, type Plan } from "./plan.js";
import { Presentation, type Ranked } from "./presentation.js";
import type { TypedWord } from "./queryWords.js";
import type { CheckpointState } from "./rows.js";
import type { CollectionNames } from "./schema.js";
import type { FoundByMeaning } from "./vectors/foundByMeaning.js";

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
  /** The average length of the person's documents, in terms. */
  readonly averageLength: number;
  readonly visibility: Visibility;
  /** What words were taken for, folded. */
  readonly corrected: readonly Correction[];
  /** Where the order is by relevance. */
  readonly near: FoundByMeaning;
  /** Left out: hits do not say why they are where they are. */
  readonly explain: true | undefined;
  /** Left out: hits come without their passages. */
  readonly passages: true | undefined;
}

interface FurtherQuestion extends Pick<PageQuestion, "near" | "count"> {
  readonly begin: number;
  readonly offset: number;
}

/** Puts what a run found in order, page by page. */
export class ResultPages {
  private readonly longDocuments: LongDocuments;
  private readonly presentation: Presentation;
  private readonly newestFirst: NewestFirst;

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly names: CollectionNames,
    private readonly directory: Directory,
    candidates: CandidateScores,
  ) {
    this.longDocuments = new LongDocuments(connection, names.texts);
    this.presentation = new Presentation(connection, names.texts, directory);
    this.newestFirst = new NewestFirst(connection, names.documents, candidates);
  }

  async page(
    found: Run,
    { count, startPage, sort, typed, phrases, averageLength, visibility, corrected, near, ...asked }: PageQuestion,
  ): Promise<SearchPage> {
    const settled = this.longDocuments.begin(found.plan.words, phrases, averageLength, asked.explain);
    const isByScore = sort === "relevance";
    const run = isByScore ? { ...found, best: await settled.rank(near.besides(found.best)) } : found;
    const offset = startPage * count;
    const total = run.found.reduce((sum, documents) => sum + documents, 0) + near.added;
    const rules = { averageLength, readers: run.plan.readers, title: run.plan.title };
    const furtherOf = (): Promise<readonly Ranked[]> =>
      isByScore
        ? this.further(found, { begin: near.beginning(run.best), near, offset, count })
        : this.newestFirst.page(run, { offset, count }, rules);
    const further = offset >= total ? [] : await furtherOf();
    return {
      ...(await this.presentation.present({
        ranked: isByScore ? run.best : null,
        further,
        offset,
        count,
        typed,
        sought: run.plan.words.map((word) => word.sought),
        readers: run.plan.readers,
        phrases,
        settled,
        visibility,
        corrected,
        near,
        explanationOf: asked.explain && hitExplanations({ plan: run.plan, typed, averageLength, near }, this.directory),
        passages: asked.passages,
      })),
      ...totalOf(total),
      ...(run.isPartial && { totalRelation: "gte", partial: true }),
      ...(run.isPartial && total === 0 && { isUnread: true }),
    };
  }

  /**
   * A stretch of the order that all pages share, as far as the engine made it: what it put after those that were scored
   * or are near by meaning, demand by demand. These begin at a place of the whole order.
   */
  private async further(
    { plan, best, found }: Run,
    { begin: beginning, near, offset, count }: FurtherQuestion,
  ): Promise<readonly Ranked[]> {
    const known = new Set(best.map(({ id }) => id));
    const ranked: Ranked[] = [];
    let begin = beginning;
    let left = count - Math.max(0, Math.min(begin, offset + count) - offset);
    for (const [index, demand] of plan.demands.entries()) {
      // What is near has its place already, wherever the engine has it.
      const named = near.foundBy(index);
      const before = scored - named.filter((id) => known.has(id)).length;
      const length = Math.max(0, (found[index] ?? 0) - named.length - before);
      const from = Math.max(0, offset + count - left - begin);
      if (left > 0 && from < length) {
        const search = {
          ...rankingSearch(this.names.documents, without(plan, named), demand),
          include_fields: "id",
          offset: before + from,
          limit: Math.min(left, length - from),
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
        left -= answer?.hits.length ?? 0;
      }
      begin += length;
    }
    return ranked;
  }
}

const without = (plan: Plan, ids: readonly string[]): Plan =>
  ids.length === 0 ? plan : { ...plan, filter: `${plan.filter} && id:!=[${ids.join(",")}]` };
