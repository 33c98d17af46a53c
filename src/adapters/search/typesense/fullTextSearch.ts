import { LRUCache } from "lru-cache";
import { analyseQuery, type AnalysedQuery } from "../../../analysis/analyseQuery.js";
import { mostRareWords, rareDocuments } from "../../../analysis/corrections.js";
import type { Language } from "../../../shared/language.js";
import { noFacets, type FacetsAsked, type SearchFacets } from "../../../readModels/facets.js";
import type { Correction, SearchPage } from "../../../readModels/search.js";
import type { SearchRequest } from "../../../../queries/ports.js";
import type { Visibility } from "./accessFilter.js";
import { CandidateScores } from "./candidates.js";
import type { EngineSearch, TypesenseConnection } from "./connection.js";
import { engineTerm } from "./encoding.js";
import { FacetCounts } from "./facetCounts.js";
import { firstRows } from "./firstRows.js";
import { canBeMet, demandChecks, demandsOf, type Demand } from "./phrases.js";
import { isUnanswerable, matchingSearch, type Plan } from "./plan.js";
import { QueryWords, toRunnable, type ReadWord, type RunnableWord, type TypedWord } from "./queryWords.js";
import { VocabularyProposals, wordsIn } from "./vocabularyProposals.js";
import { Proposals, RareWords, type RareWord } from "./rareWords.js";
import { ResultPages, scored, type Run } from "./resultPages.js";
import { matchOf } from "./matches.js";
import type { Directory } from "./directory.js";
import type { CollectionNames } from "./schema.js";
import type { ServedPosition } from "./servedPosition.js";
import { soughtTitle } from "./titleWords.js";
import { FoundByMeaning, MeaningSearch, type AskedMeaning } from "./vectors/foundByMeaning.js";
import { NearPassages } from "./vectors/nearPassages.js";
import { rememberedMs, TermStatisticsByPopulation, type TermStatistics } from "./termStatistics.js";

/** For how many words it is remembered which others begin or end with them. */
const rememberedProposals = 2_000;

const nothing: SearchPage = { hits: [], total: 0, totalRelation: "eq" };

/** The request without its visibility. */
type RankingRequest = Pick<
  SearchRequest,
  "query" | "count" | "startPage" | "sort" | "facets" | "language" | "meaning" | "explain" | "passages"
>;

interface AskedQuery {
  readonly query: string;
  readonly analysed: AnalysedQuery;
  /** The reader's language; null: not known. */
  readonly readers: Language | null;
  readonly facets: FacetsAsked | undefined;
}

/** What weighs words and reads rare ones, among the documents that the person can see. */
interface Weighing {
  readonly statistics: TermStatistics;
  readonly words: QueryWords;
  readonly vocabulary: VocabularyProposals;
  readonly rareWords: RareWords;
}

interface WeighedRun {
  readonly run: Run;
  readonly read: readonly ReadWord[];
  readonly typed: readonly TypedWord[];
  readonly weighing: Weighing;
}

/**
 * Ranks documents by BM25 over all words of the query. The engine itself cannot: it orders by the rarity of the rarest
 * words, and its first hundred are scored here. Visibility is part of every filter, also where words are weighed.
 */
export class FullTextSearch {
  private readonly statistics: TermStatisticsByPopulation;
  private readonly proposals = new Proposals();
  /** What the vocabulary has proposed lately: words of everybody's, before anybody's documents decide. */
  private readonly proposed = new LRUCache<string, readonly string[]>({ max: rememberedProposals, ttl: rememberedMs });
  private readonly candidates: CandidateScores;
  private readonly pages: ResultPages;
  private readonly facetCounts: FacetCounts;
  private readonly meanings: MeaningSearch;

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly names: CollectionNames,
    private readonly directory: Directory,
    private readonly served: ServedPosition,
    namespace: string,
  ) {
    this.statistics = new TermStatisticsByPopulation(connection, names.documents);
    this.candidates = new CandidateScores(connection, names.documents);
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
    const { visibility, run, read, typed, weighing } = await this.runAsTyped(
      { query: request.query, analysed, readers: language ?? analysed.askedIn, facets },
      visible,
    );
    const isNothing = visibility.filter === null || run.plan.demands.length === 0;
    const { final, corrected } = isNothing
      ? { final: run, corrected: [] }
      : await this.withReadings({ run, read, typed, weighing }, analysed, visibility.filter);
    const near = isNothing ? FoundByMeaning.nothing : await this.nearTo(asked, final, weighing);
    const [page, counted] = await Promise.all([
      isNothing
        ? nothing
        : this.pages.page(final, {
            ...{ typed, phrases: analysed.phrases, averageLength: weighing.statistics.usualLength, visibility },
            ...{ count: request.count, startPage: request.startPage, sort, corrected, near },
            ...{ explain: request.explain, passages: request.passages },
          }),
      facets && this.facetsOf(near.widen(final.plan), near, facets, visibility),
    ]);
    return { ...page, ...(counted && { facets: counted }) };
  }

  private askMeaning({ meaning, sort }: RankingRequest, visible: () => Visibility): AskedMeaning | null {
    return meaning === undefined || sort === "last_modified" ? null : this.meanings.ask(meaning, visible().filter);
  }

  private async nearTo(asked: AskedMeaning | null, { plan }: Run, { statistics }: Weighing): Promise<FoundByMeaning> {
    if (asked === null) return FoundByMeaning.nothing;
    const rules = { averageLength: statistics.usualLength, readers: plan.readers, title: plan.title };
    return this.meanings.found(asked, plan, rules);
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

  private weighingBy({ population }: Visibility): Weighing {
    const statistics = this.statistics.of(population);
    const words = new QueryWords(statistics);
    const vocabulary = new VocabularyProposals(statistics, this.names.words);
    const { connection, names, proposals } = this;
    return {
      statistics,
      words,
      vocabulary,
      rareWords: new RareWords({ connection, names, statistics, words, proposals }),
    };
  }

  /**
   * What has to be known before the query can be run: how rare its words are, how the last one goes on, and whether its
   * phrases exist.
   */
  private async learn(
    analysed: AnalysedQuery,
    { statistics, words, vocabulary }: Weighing,
  ): Promise<Pick<WeighedRun, "read" | "typed"> & { readonly demands: readonly Demand[] }> {
    const proposals = vocabulary.searchesFor(analysed);
    const known = proposals.map(({ key }) => (statistics.mayBeBehind ? this.proposed.get(key) : undefined));
    const unknown = proposals.filter((_proposal, index) => known[index] === undefined);
    const demands = demandsOf(analysed);
    const checks = demands.map((demand) => demandChecks(this.names.documents, demand));
    const searches = [...unknown.map(({ search }) => search), ...checks.flat()];
    const answers = await statistics.learn(words.termsToLearn(analysed), searches);
    unknown.forEach(({ key }, index) => this.proposed.set(key, wordsIn(answers[index])));
    const open = await vocabulary.openProposals(
      proposals,
      proposals.map(({ key }, index) => known[index] ?? this.proposed.get(key) ?? []),
    );
    let from = unknown.length;
    const possible = demands.filter((_demand, index) => {
      const to = from + (checks[index]?.length ?? 0);
      const isPossible = canBeMet(answers.slice(from, to));
      from = to;
      return isPossible;
    });
    return { read: words.read(analysed, open), typed: words.weigh(analysed.words), demands: possible };
  }

  /** Runs once more where datasources or access classes turn out to have changed: then they are read first. */
  private async runAsTyped(
    { query, analysed, readers, facets }: AskedQuery,
    visible: () => Visibility,
  ): Promise<WeighedRun & { readonly visibility: Visibility }> {
    const attempt = async (): Promise<WeighedRun & { readonly visibility: Visibility }> => {
      const visibility = visible();
      const { filter } = visibility;
      const weighing = this.weighingBy(visibility);
      // Where nothing may be shown, there may be something to be counted outside of the filters.
      const isAsked = filter !== null || facets?.fields.some((field) => visibility.countedBy(field) !== null) === true;
      const { read, typed, demands } = isAsked
        ? await this.learn(analysed, weighing)
        : { read: [], typed: [], demands: [] };
      const words = read.map(({ word, expansions, isAsked: isTold }) => toRunnable(word, expansions, isTold));
      const title = soughtTitle(
        query,
        typed.reduce((sum, { weight }) => sum + weight, 0),
      );
      const plan = { words, demands, readers, title, filter };
      return { visibility, read, typed, weighing, run: await this.run(plan, weighing) };
    };
    const first = await attempt();
    if (first.run.state.stamp === first.visibility.stamp) return first;
    await this.directory.refresh();
    return attempt();
  }

  private async run(plan: Plan, { statistics }: Weighing): Promise<Run> {
    const { served, names } = this;
    const { answers, state } = await firstRows(plan, { served, collection: names.documents, statistics });
    const best = await this.candidates.score(
      answers.flatMap(({ hits }) => hits.map(({ document }) => document)),
      plan.words,
      { averageLength: statistics.usualLength, readers: plan.readers, title: plan.title },
    );
    return {
      plan,
      best,
      found: answers.map(({ found }) => found),
      isPartial: answers.some((answer) => answer.search_cutoff === true),
      state,
    };
  }

  /**
   * Where words turn out to be rare among what the person can see, runs the query again with what they may have meant;
   * and without documents that hold one common word of many.
   */
  private async withReadings(
    { run, read, weighing }: WeighedRun,
    analysed: AnalysedQuery,
    visible: string,
  ): Promise<{ readonly final: Run; readonly corrected: readonly Correction[] }> {
    const rare = await this.rareAmong(read, run, visible);
    const readings = rare.length === 0 ? [] : await weighing.rareWords.readingsOf(rare, analysed, visible);
    const isReadAnew = readings.some(
      ({ parts, apart, corrections }) => apart !== null || parts.length + corrections.length > 0,
    );
    const asked: { readonly word: RunnableWord; readonly isAsked: boolean }[] = read.flatMap((one) => {
      const reading = readings[rare.findIndex(({ word }) => word === one.word)];
      const parts = (reading?.parts ?? []).map((part) => ({ word: toRunnable(one.word, [part]), isAsked: true }));
      const others = [reading?.apart ?? [], (reading?.corrections ?? []).map(({ expansion }) => expansion)].flat();
      const isAsked = one.isAsked && parts.length === 0;
      return [...parts, { word: toRunnable(one.word, [...one.expansions, ...others], isAsked), isAsked }];
    });
    const again = isReadAnew ? { ...run.plan, words: asked.map(({ word }) => word) } : null;
    const found = again === null ? run : await this.run(again, weighing);
    const isNarrowed = analysed.phrases.length + analysed.excluded.length > 0;
    const match = isNarrowed ? null : matchOf(found, asked);
    return {
      final: match === null ? found : await this.run({ ...found.plan, match }, weighing),
      corrected: rare.flatMap(({ word: { typed } }, index) =>
        (readings[index]?.corrections ?? []).map(({ to }) => ({ from: typed, to })),
      ),
    };
  }

  /** Most words are seen often enough among the best already. For the others the person's documents are counted. */
  private async rareAmong(
    read: readonly ReadWord[],
    { plan, best, found }: Run,
    visible: string,
  ): Promise<readonly RareWord[]> {
    const isWhole = found.every((documents) => documents <= scored) && plan.demands.every(({ q }) => q === "*");
    const seen = read.map(
      (_word, index) => best.filter(({ counts }) => counts[index]?.some((count) => count > 0) === true).length,
    );
    const few = read
      .map((one, index) => ({ ...one, documents: seen[index] ?? 0 }))
      .filter(({ documents, mayBeRead }) => mayBeRead && documents <= rareDocuments);
    if (isWhole || few.length === 0) return few.slice(0, mostRareWords);
    const searches = few.map(({ word, expansions }): EngineSearch => {
      const terms = expansions.flatMap(({ ways }) => ways.map(({ term }) => term));
      return {
        collection: this.names.documents,
        q: "*",
        filter_by: `${visible} && s:[${terms.join(",") || engineTerm(word.terms[0] ?? "")}]`,
        per_page: 0,
      };
    });
    const answers = await this.connection.search(searches);
    return few
      .map(({ word }, index) => ({ word, documents: answers[index]?.found ?? 0 }))
      .filter(({ documents }) => documents <= rareDocuments)
      .slice(0, mostRareWords);
  }
}
