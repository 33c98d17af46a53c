import { analyseQuery } from "../../../analysis/analyseQuery.js";
import { noFacets, type FacetsAsked, type SearchFacets, type SearchPage } from "../../../readModels/search.js";
import { correctionsAsWritten } from "../../../analysis/writtenForms.js";
import type { SearchRequest } from "../../../../queries/ports.js";
import type { Visibility } from "./accessFilter.js";
import { CandidateScores } from "./candidates.js";
import type { TypesenseConnection } from "./connection.js";
import type { Directory } from "./directory.js";
import { FacetCounts } from "./facetCounts.js";
import { isUnanswerable, matchingSearch, type Plan } from "./plan.js";
import { QueryRuns, type FoundByWords } from "./queryRuns.js";
import { ResultPages } from "./resultPages.js";
import type { CollectionNames } from "./schema.js";
import type { ServedPosition } from "./servedPosition.js";
import { FoundByMeaning, MeaningSearch, type AskedMeaning } from "./vectors/foundByMeaning.js";
import { NearPassages } from "./vectors/nearPassages.js";

const nothing: SearchPage = { hits: [], total: 0, totalRelation: "eq" };

/** The request without its visibility. */
type RankingRequest = Pick<
  SearchRequest,
  "query" | "count" | "startPage" | "sort" | "facets" | "language" | "meaning" | "explain" | "passages"
>;

/**
 * Ranks documents by BM25 over all words of the query. The engine itself cannot: it orders by the rarity of the rarest
 * words, and its first hundred are scored here. Visibility is part of every filter, also where words are weighed.
 */
export class FullTextSearch {
  private readonly runs: QueryRuns;
  private readonly candidates: CandidateScores;
  private readonly pages: ResultPages;
  private readonly facetCounts: FacetCounts;
  private readonly meanings: MeaningSearch;

  constructor(
    connection: TypesenseConnection,
    private readonly names: CollectionNames,
    directory: Directory,
    served: ServedPosition,
    namespace: string,
  ) {
    this.candidates = new CandidateScores(connection, names.documents);
    this.runs = new QueryRuns({ connection, names, directory, served, candidates: this.candidates });
    this.pages = new ResultPages(connection, names, directory, this.candidates);
    this.facetCounts = new FacetCounts(served, names.documents, directory);
    const passages = new NearPassages(connection, namespace);
    this.meanings = new MeaningSearch(connection, names.documents, passages, this.candidates);
  }

  /** `visible` is called once more where datasources or access classes have changed meanwhile. */
  async search(request: RankingRequest, visible: () => Visibility): Promise<SearchPage> {
    const analysed = analyseQuery(request.query);
    const { facets, language, sort = "relevance" } = request;
    if (analysed.words.length === 0) return { ...nothing, ...(facets && { facets: noFacets(facets) }) };
    // At once: words and meaning do not wait for each other.
    const asked = this.askMeaning(request, visible);
    const found = await this.runs.find(
      { query: request.query, analysed, readers: language ?? analysed.askedIn, facets },
      visible,
    );
    const { visibility, run, typed, corrected, averageLength } = found;
    const isNothing = visibility.filter === null || run.plan.demands.length === 0;
    const near = isNothing ? FoundByMeaning.nothing : await this.nearTo(asked, found);
    const [page, counted] = await Promise.all([
      isNothing
        ? { ...nothing, ...(corrected.length > 0 && { corrected: correctionsAsWritten(corrected, []) }) }
        : this.pages.page(run, {
            ...{ typed, phrases: analysed.phrases, averageLength, visibility },
            ...{ count: request.count, startPage: request.startPage, sort, corrected, near },
            ...{ explain: request.explain, passages: request.passages },
          }),
      facets && this.facetsOf(near.widen(run.plan), near, facets, visibility),
    ]);
    return { ...page, ...(counted && { facets: counted }) };
  }

  private askMeaning({ meaning, sort }: RankingRequest, visible: () => Visibility): AskedMeaning | null {
    return meaning === undefined || sort === "last_modified" ? null : this.meanings.ask(meaning, visible().filter);
  }

  private async nearTo(
    asked: AskedMeaning | null,
    { run: { plan }, averageLength }: FoundByWords,
  ): Promise<FoundByMeaning> {
    if (asked === null) return FoundByMeaning.nothing;
    return this.meanings.found(asked, plan, { averageLength, readers: plan.readers, title: plan.title });
  }

  private async facetsOf(
    plan: Plan,
    near: FoundByMeaning,
    asked: FacetsAsked,
    visibility: Visibility,
  ): Promise<SearchFacets> {
    if (isUnanswerable(plan) && near.added === 0) return noFacets(asked);
    return this.facetCounts.of(asked, visibility, (filter) =>
      plan.demands.map((demand) => matchingSearch(this.names.documents, { ...plan, filter }, demand)),
    );
  }
}
