import { analyseQuery, type AnalysedQuery } from "../../../analysis/analyseQuery.js";
import { asksForMany, leastScoreOfOneWord, tellsAlone, wordsOfMatch } from "../../../analysis/rankingRules.js";
import { titleWordsOf } from "../../../analysis/suggesting.js";
import { correctionsAsWritten } from "../../../analysis/writtenForms.js";
import {
  noFacets,
  type Correction,
  type FacetsAsked,
  type SearchFacets,
  type SearchPage,
} from "../../../readModels/search.js";
import type { SearchRequest } from "../../../../queries/ports.js";
import { placeOfWord } from "../titleTerms.js";
import type { Visibility } from "./accessFilter.js";
import { candidateFields, CandidateScores, type Candidate, type FoundRow } from "./candidates.js";
import type { TypesenseConnection, EngineSearch } from "./connection.js";
import type { Directory } from "./directory.js";
import { engineWord } from "./encoding.js";
import { FacetCounts } from "./facetCounts.js";
import type { FollowedLexicon } from "./lexiconRows.js";
import {
  forbiddenIn,
  holdingAny,
  holdingTwo,
  isUnanswerable,
  matchingSearch,
  mostHolding,
  rankingSearch,
  soughtPhrase,
  type EngineWord,
  type Plan,
  holdingPhrases,
  holdsPhrase,
  searchCutoffMs,
  type SoughtPhrase,
} from "./matching.js";
import { QueryReading, type Population } from "./queryReading.js";
import { mostScored, ResultPages, type Run } from "./resultPages.js";
import type { CollectionNames, DocumentRow } from "./schema.js";
import { SampledDocuments } from "./sampledDocuments.js";
import type { ServedPosition } from "./servedPosition.js";
import { soughtTitle } from "./titleWords.js";
import { FoundByMeaning, MeaningSearch, type AskedMeaning, NearPassages } from "./vectors/foundByMeaning.js";
import { longDocument } from "./frequencies.js";

const nothing: SearchPage = { hits: [], total: 0, totalRelation: "eq" };

/** The request without its visibility. */
type RankingRequest = Pick<
  SearchRequest,
  "query" | "count" | "startPage" | "sort" | "facets" | "language" | "meaning" | "explain" | "passages"
>;

interface SearchParts {
  readonly connection: TypesenseConnection;
  readonly names: CollectionNames;
  readonly directory: Directory;
  readonly served: ServedPosition;
  readonly followed: FollowedLexicon;
  readonly namespace: string;
}

/** What a query found, with the weights that its words have for the person. */
interface FoundByWords {
  readonly visibility: Visibility;
  readonly run: Run;
  /** What words were taken for, folded. */
  readonly corrected: readonly Correction[];
  readonly population: Population;
}

/**
 * Ranks documents by BM25 over all words of the query. The engine finds and orders some hundred candidates, which are
 * scored here. Visibility is part of every filter, also where words are weighed.
 */
export class FullTextSearch {
  private readonly reading: QueryReading;
  private readonly candidates: CandidateScores;
  private readonly phrases: PhraseSearch;
  private readonly pages: ResultPages;
  private readonly facetCounts: FacetCounts;
  private readonly meanings: MeaningSearch;

  constructor(private readonly parts: SearchParts) {
    const { connection, names, directory, served, followed, namespace } = parts;
    this.candidates = new CandidateScores(connection, names.documents);
    this.reading = new QueryReading(names, served, followed, new SampledDocuments(connection, names.documents));
    this.phrases = new PhraseSearch(connection, names.documents);
    this.pages = new ResultPages(connection, names, directory, this.candidates);
    this.facetCounts = new FacetCounts(served, names.documents, directory);
    const passages = new NearPassages(connection, namespace);
    this.meanings = new MeaningSearch(connection, names.documents, passages, this.candidates);
  }

  /** `visible` is called once more where datasources or access classes have changed meanwhile. */
  async search(request: RankingRequest, visible: () => Visibility): Promise<SearchPage> {
    const analysed = analyseQuery(request.query);
    const { facets, sort = "relevance" } = request;
    if (analysed.words.length === 0) return { ...nothing, ...(facets && { facets: noFacets(facets) }) };
    // At once: words and meaning do not wait for each other.
    const asked = this.askMeaning(request, visible);
    const found = await this.find(request, analysed, visible);
    const { visibility, run, corrected, population } = found;
    const near = await this.nearTo(asked, found);
    const isNothing = visibility.filter === null || (isUnanswerable(run.plan) && near.added === 0 && !run.isPartial);
    const [page, counted] = await Promise.all([
      isNothing
        ? { ...nothing, ...(corrected.length > 0 && { corrected: correctionsAsWritten(corrected, []) }) }
        : this.pages.page(run, {
            ...{ phrases: analysed.phrases, averageLength: population.averageLength, visibility },
            ...{ count: request.count, startPage: request.startPage, sort, corrected, near },
            ...{ explain: request.explain, passages: request.passages },
          }),
      facets && this.facetsOf(near.widen(run.plan), facets, visibility),
    ]);
    return { ...page, ...(counted && { facets: counted }) };
  }

  /** Searches once more where datasources or access classes turn out to have changed since they were read. */
  private async find(
    request: RankingRequest,
    analysed: AnalysedQuery,
    visible: () => Visibility,
  ): Promise<FoundByWords> {
    const first = visible();
    const found = await this.findAs(request, analysed, first, false);
    if (found !== null) return found;
    await this.parts.directory.refresh();
    return (await this.findAs(request, analysed, visible(), true)) as FoundByWords;
  }

  /** null: access has changed, or words have come that were not known; whatever the last attempt finds is taken. */
  private async findAs(
    { query, language }: RankingRequest,
    analysed: AnalysedQuery,
    visibility: Visibility,
    isLast: boolean,
  ): Promise<FoundByWords | null> {
    const { query: read, population, stamp } = await this.reading.read(analysed, visibility);
    const { words, typed, corrected } = read;
    const weight = typed.reduce((sum, word) => sum + word.weight, 0);
    const plan: Plan = {
      ...{ words, typed, readers: language ?? analysed.askedIn, title: soughtTitle(query, weight) },
      ...{ q: forbiddenIn(analysed, this.parts.followed.lexicon), filter: visibility.filter, match: holdingAny(words) },
      hasPhrases: analysed.phrases.length > 0,
    };
    const found = { visibility, corrected, population };
    if (!isLast && stamp !== null && stamp !== visibility.stamp) return null;
    const run = await this.runAs(plan, analysed, found);
    return !isLast && (run.hasNews || run.state.stamp !== visibility.stamp) ? null : { ...found, run };
  }

  private runAs(plan: Plan, analysed: AnalysedQuery, found: Omit<FoundByWords, "run">): Promise<Run> {
    if (analysed.phrases.length > 0) return this.runPhrases(plan, analysed, found);
    const asked = plan.words.filter(({ isAsked }) => isAsked);
    const isMany = analysed.excluded.length === 0 && asksForMany({ words: asked.length, unknown: 0 });
    return isMany ? this.runMany(plan, asked, found.population) : this.run(plan, found.population);
  }

  /** Where all phrases of the query are held, these documents are all that is found. */
  private async runPhrases(
    plan: Plan,
    { phrases }: AnalysedQuery,
    { visibility, population }: Omit<FoundByWords, "run">,
  ): Promise<Run> {
    const sought = phrases.map((phrase) => soughtPhrase(phrase, this.parts.followed.lexicon));
    const filter = visibility.population.filter ?? visibility.filter;
    const held = sought.flatMap((phrase) => phrase ?? []);
    const isPossible = filter !== null && held.length === sought.length;
    const { ids, isPartial } = isPossible ? await this.phrases.holding(held, plan.q, filter) : nowhere;
    const match = ids.length === 0 ? null : `id:=[${ids.join(",")}]`;
    const run = await this.run({ ...plan, match }, population);
    return isPartial ? { ...run, isPartial } : run;
  }

  /** Where a query has many words, documents that hold a single common one are no matches. */
  private async runMany(plan: Plan, asked: readonly EngineWord[], population: Population): Promise<Run> {
    const run = await this.run({ ...plan, match: holdingTwo(asked) }, population);
    const { best, found } = run;
    const weak = weakAmong(best, plan.words, population);
    const left = best.filter(({ id }) => !weak.has(id));
    if (found > weak.size) {
      const match = weak.size === 0 ? run.plan.match : `${run.plan.match} && id:!=[${[...weak].join(",")}]`;
      return { ...run, plan: { ...run.plan, match }, best: left, found: found - weak.size };
    }
    // Nothing holds two of them: the best of those that hold one are what there is.
    const single = await this.run(plan, population);
    const weakest = weakAmong(single.best, plan.words, population);
    const named = single.best.filter(({ id }) => !weakest.has(id));
    const match = named.length === 0 ? null : `id:=[${named.map(({ id }) => id).join(",")}]`;
    return { ...single, plan: { ...plan, match }, best: named, found: named.length };
  }

  /**
   * What the engine puts first, scored. Its order costs more than all the rest, since the engine counts in documents
   * that the person is not shown. So what is not more than is scored anyway is asked for without it.
   */
  private async run(plan: Plan, { averageLength }: Population): Promise<Run> {
    const { served, names, followed } = this.parts;
    const search = async (searchFor: typeof matchingSearch | null) => {
      const rows = searchFor && {
        ...searchFor(names.documents, plan),
        include_fields: candidateFields,
        per_page: mostScored,
      };
      const { answers, state } = await served.ask<FoundRow>([followed.newsSearch(), ...(rows ? [rows] : [])]);
      return { hasNews: await followed.take(answers[0], state), answer: answers[1], state };
    };
    const isFew = mostHolding(plan.words) <= mostScored;
    let told = await search(isUnanswerable(plan) ? null : isFew ? matchingSearch : rankingSearch);
    // More may have come since words were counted.
    if (isFew && (told.answer?.found ?? 0) > mostScored) told = await search(rankingSearch);
    const { answer, hasNews, state } = told;
    const rows = (answer?.hits ?? []).map(({ document }) => document);
    const best = await this.candidates.score(rows, plan, averageLength);
    return { plan, best, found: answer?.found ?? 0, isPartial: answer?.search_cutoff === true, state, hasNews };
  }

  private askMeaning({ meaning, sort }: RankingRequest, visible: () => Visibility): AskedMeaning | null {
    return meaning === undefined || sort === "last_modified" ? null : this.meanings.ask(meaning, visible().filter);
  }

  private async nearTo(asked: AskedMeaning | null, { run, population }: FoundByWords): Promise<FoundByMeaning> {
    if (asked === null || run.plan.filter === null) return FoundByMeaning.nothing;
    return this.meanings.found(asked, run.plan, population.averageLength);
  }

  private async facetsOf(plan: Plan, asked: FacetsAsked, visibility: Visibility): Promise<SearchFacets> {
    if (plan.match === null) return noFacets(asked);
    return this.facetCounts.of(asked, visibility, (filter) => [
      matchingSearch(this.parts.names.documents, { ...plan, filter }),
    ]);
  }
}

const nowhere = { ids: [] as readonly string[], isPartial: false };

/** The ids of candidates that are no matches, because they hold a single common word of many. */
function weakAmong(
  best: readonly Candidate[],
  words: readonly EngineWord[],
  { documents }: Population,
): ReadonlySet<string> {
  const asked = words.flatMap(({ isAsked }, index) => (isAsked ? [index] : []));
  const isUnknown = (index: number): boolean =>
    words[index]?.expansions.some(({ reading, ways }) => reading !== "correction" && ways.length > 0) !== true;
  const many = { words: asked.length, unknown: asked.filter(isUnknown).length };
  const scoreOf = ({ score, worth, title }: Candidate): number => score / worth - title;
  const least = leastScoreOfOneWord(many, Math.max(0, ...best.map(scoreOf)));
  const heldBy = ({ counts }: Candidate): number =>
    asked.filter((index) => counts[index]?.some((count) => count > 0) === true).length;
  const telling = Number.isFinite(least) ? [] : tellingWords(words, documents);
  const isWeak = (candidate: Candidate): boolean =>
    heldBy(candidate) < wordsOfMatch && scoreOf(candidate) < least && !telling.some((tells) => tells(candidate));
  return new Set(best.filter(isWeak).map(({ id }) => id));
}

/** Makes the functions that tell of a candidate whether it is a match by this word alone. */
function tellingWords(words: readonly EngineWord[], all: number): readonly ((candidate: Candidate) => boolean)[] {
  return words.flatMap(({ typed, expansions, alternatives, isAsked }, index) => {
    const asTyped = expansions.filter(({ reading }) => reading === "as_typed").flatMap(({ ways }) => ways);
    const held = asTyped.reduce((sum, way) => sum + way.documents, 0);
    if (!isAsked || held === 0) return [];
    const places = asTyped.map((way) => alternatives.indexOf(way));
    const word = { typed, documents: Math.min(all, held), all };
    const sought = titleWordsOf(typed).words.map(engineWord);
    return ({ counts, row }: Candidate): boolean =>
      places.some((place) => (counts[index]?.[place] ?? 0) > 0) &&
      tellsAlone(word, placeOfWord(row.t.split(" "), sought));
  });
}

/** So many documents that hold the words of phrases are looked into, the newest: of long ones fewer. */
const pages = 4;
const rowsPerPage = 250;
const mostLong = 64;

/**
 * Finds documents by phrases. The engine finds those that hold all words; whether these stand together, in whatever
 * form, is told by the words of each.
 */
class PhraseSearch {
  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collection: string,
  ) {}

  /** The ids of documents that pass the filter and hold all phrases; `q`: what they may not hold. */
  async holding(
    phrases: readonly SoughtPhrase[],
    q: string,
    filter: string,
  ): Promise<{ readonly ids: readonly string[]; readonly isPartial: boolean }> {
    const search: EngineSearch = {
      ...{ collection: this.collection, query_by: "w", prefix: false, num_typos: 0 },
      ...{ sort_by: "position:desc", include_fields: "id,w", search_cutoff_ms: searchCutoffMs },
      ...{ q, filter_by: `${filter} && ${holdingPhrases(phrases)}` },
    };
    const without = q === "*" ? `-${longDocument}` : `${q} -${longDocument}`;
    const short = Array.from({ length: pages }, (_unused, page) => ({
      ...{ ...search, q: without, offset: page * rowsPerPage, limit: rowsPerPage },
    }));
    const long = { ...search, filter_by: `${search.filter_by} && w:${longDocument}`, limit: mostLong };
    const [first, ofLong] = await this.connection.search<Pick<DocumentRow, "id" | "w">>([
      short[0] as EngineSearch,
      long,
    ]);
    const found = first?.found ?? 0;
    const others = short.filter((_search, page) => page > 0 && page * rowsPerPage < found);
    const answers = [first, ...(await this.connection.search<Pick<DocumentRow, "id" | "w">>(others)), ofLong];
    const rows = answers.flatMap((answer) => answer?.hits.map(({ document }) => document) ?? []);
    const holds = ({ w }: Pick<DocumentRow, "w">): boolean => {
      const words = w.split(" ");
      return phrases.every((phrase) => holdsPhrase(words, phrase));
    };
    return {
      ids: rows.filter(holds).map(({ id }) => id),
      isPartial:
        found > pages * rowsPerPage ||
        (ofLong?.found ?? 0) > mostLong ||
        answers.some((answer) => answer?.search_cutoff === true),
    };
  }
}
