import { LRUCache } from "lru-cache";
import type { AnalysedQuery } from "../../../analysis/analyseQuery.js";
import { readQuery } from "../../../search/readQuery.js";
import type { OpenDocuments, Visibility } from "./accessFilter.js";
import { conditionFilter, EngineDictionary, type Condition, type CountedDocuments } from "./engineDictionary.js";
import type { FollowedLexicon } from "./lexiconRows.js";
import type { EngineQuery } from "./matching.js";
import type { CollectionNames } from "./schema.js";
import type { ServedPosition } from "./servedPosition.js";
import { keyOfState } from "./stateCollection.js";
import { documentsPerSample, type SampledDocuments } from "./sampledDocuments.js";
import type { EngineAnswer, EngineSearch } from "./connection.js";

/** For how many people it is remembered how many documents they see, and how long these are. */
const rememberedPeople = 1_000;
/** How long that serves, of many documents: it is used only to rank. */
const rememberedMs = 60_000;
/** Below this many documents it serves only while the index stands still: one document more or less matters. */
const smallCollection = 5_000;
/** So many documents of the sample say enough of how many there are. In a small collection one more or less matters. */
const enough = { ofFew: 24, ofMany: 4 } as const;
/**
 * So often something is asked at most before a query is read, far more often than it has to be: what the last answer
 * leaves open would depend on words of hidden documents.
 */
const mostRounds = 16;

/** How many documents are open to a person, and how many terms they have on average. */
export interface Population {
  readonly documents: number;
  readonly averageLength: number;
}

interface RememberedPopulation extends Population {
  readonly askedAt: number;
  readonly state: string;
}

/** A query as a person's documents have it read. */
interface ReadQuery {
  readonly query: EngineQuery;
  readonly population: Population;
  /** The stamp of datasources and access that was seen; null: nothing was asked. */
  readonly stamp: string | null;
}

/** What no document of the sample holds counts as so many of them. */
const leastSampled = 0.5;
/** What is not known yet counts as so many documents: it is not looked into. */
const veryMany = Number.MAX_SAFE_INTEGER;

const nobody: Population = { documents: 0, averageLength: 1 };

/** Reads queries by what documents hold that the person may see: all that is not known is asked for together. */
export class QueryReading {
  private readonly populations = new LRUCache<string, RememberedPopulation>({ max: rememberedPeople });

  constructor(
    private readonly names: CollectionNames,
    private readonly served: ServedPosition,
    private readonly followed: FollowedLexicon,
    private readonly sample: SampledDocuments,
  ) {}

  /** Asks nothing where all is known: whether it still holds is told by the answer to the search itself. */
  async read(analysed: AnalysedQuery, visibility: Visibility): Promise<ReadQuery> {
    const { population } = visibility;
    await this.followed.open();
    if (isLong(population)) await this.sample.open();
    const known = this.populations.get(population.key) ?? null;
    const counts = new CountsOfPerson(this.names.documents, visibility, known, this.sample);
    let dictionary = new EngineDictionary(this.followed.lexicon, counts, analysed);
    for (let round = 0; ; round += 1) {
      dictionary.begin();
      const query = readQuery(analysed, dictionary);
      if (counts.isComplete(this.served.seen) || round >= mostRounds)
        return { query, population: counts.population, stamp: counts.stamp };
      const hasNews = await counts.ask(this.served, this.followed);
      if (counts.asked !== null) this.populations.set(population.key, counts.asked);
      // Words that were not known may be what was looked for.
      if (hasNews) dictionary = new EngineDictionary(this.followed.lexicon, counts, analysed);
    }
  }
}

/** How many documents pass conditions, as far as it was asked. */
class CountsOfPerson implements CountedDocuments {
  /** The stamp under which was asked; null: it was not. */
  stamp: string | null = null;
  /** How many documents there are in all, as it was asked now; null: it was known. */
  asked: RememberedPopulation | null = null;
  readonly isNarrowed: boolean;
  /** Whether nothing is open to the person. */
  private readonly isNobody: boolean;
  private readonly counts = new Map<string, VisibleCount>();
  private readonly missing = new Set<VisibleCount>();

  constructor(
    private readonly collection: string,
    private readonly visibility: Visibility,
    private readonly remembered: RememberedPopulation | null,
    private readonly sample: SampledDocuments,
  ) {
    this.isNarrowed = visibility.filter !== visibility.population.filter;
    this.isNobody = visibility.population.isEmpty;
  }

  get population(): Population {
    return this.asked ?? this.remembered ?? nobody;
  }

  get documents(): number {
    return this.population.documents;
  }

  /** Whether nothing is missing; `state`: that of the index that was seen last. */
  isComplete(state: string | null): boolean {
    return this.missing.size === 0 && this.mayServe(state);
  }

  open(condition: Condition): number {
    return this.count(this.visibility.population, condition) ?? (this.stamp === null ? veryMany : 0);
  }

  few(condition: Condition): number {
    return this.count(this.visibility.population, condition) ?? 0;
  }

  about(condition: Condition): number {
    const sampled = this.sampledOfMany(condition);
    return sampled === null ? this.open(condition) : Math.max(sampled, leastSampled) * documentsPerSample;
  }

  isCommon(condition: Condition): boolean {
    return (this.sampledOfMany(condition) ?? 0) >= enough.ofMany;
  }

  isHeld(condition: Condition): boolean {
    return (this.sampledOfMany(condition) ?? this.few(condition)) > 0;
  }

  /** How many sampled documents pass; null: the person sees few, and these are counted. */
  private sampledOfMany(condition: Condition): number | null {
    return this.documents < smallCollection ? null : this.sampled(this.visibility.population, condition);
  }

  shown(condition: Condition): number {
    if (this.visibility.filter === null) return 0;
    return this.count(this.isNarrowed ? this.visibility : this.visibility.population, condition) ?? veryMany;
  }

  /** Asks for all that is missing, and tells whether there were words that were not known. */
  async ask(served: ServedPosition, followed: FollowedLexicon): Promise<boolean> {
    const missing = [...this.missing];
    this.missing.clear();
    const population = this.mayServe(served.seen) ? [] : [this.populationSearch()];
    const asked = [followed.newsSearch(), ...population, ...missing.map((count) => count.search())];
    const { answers, state } = await served.ask<unknown>(asked);
    const hasNews = await followed.take(answers[0], state);
    if (population.length > 0) this.takePopulation(answers[1], keyOfState(state));
    this.stamp = state.stamp;
    missing.forEach((count, index) => count.take(answers[1 + population.length + index]));
    return hasNews;
  }

  /** How many sampled documents pass; null: the sample does not tell. */
  private sampled(among: OpenDocuments, [words, ...others]: Condition): number | null {
    const { population } = this.visibility;
    if (among !== population || words === undefined || others.length > 0 || !isLong(population)) return null;
    return this.sample.count(words, population);
  }

  /** How many documents pass by the sample; null: it does not say enough. */
  private estimated(among: OpenDocuments, condition: Condition): number | null {
    const sampled = this.sampled(among, condition) ?? 0;
    const isEnough = sampled >= (this.documents < smallCollection ? enough.ofFew : enough.ofMany);
    return isEnough ? sampled * documentsPerSample : null;
  }

  /** null: it is not known yet, and will be asked. */
  private count(among: OpenDocuments, condition: Condition): number | null {
    if (this.isNobody) return 0;
    const filter = conditionFilter(condition);
    const key = among === this.visibility.population ? filter : ` ${filter}`;
    const count =
      this.counts.get(key) ?? new VisibleCount(this.collection, among, filter, this.estimated(among, condition));
    this.counts.set(key, count);
    if (count.documents === null) this.missing.add(count);
    return count.documents;
  }

  /** Whether what is remembered of the person's documents serves an index in this state; null: none was seen. */
  private mayServe(state: string | null): boolean {
    const { remembered } = this;
    if (this.asked !== null || this.isNobody) return true;
    if (remembered === null) return false;
    if (remembered.documents < smallCollection) return remembered.state === state;
    return performance.now() - remembered.askedAt < rememberedMs;
  }

  private populationSearch(): EngineSearch {
    const { filter } = this.visibility.population;
    const within = filter === null ? {} : { filter_by: filter };
    return { collection: this.collection, q: "*", facet_by: "len", per_page: 0, ...within };
  }

  private takePopulation(answer: EngineAnswer<unknown> | undefined, state: string): void {
    const documents = answer?.found ?? 0;
    const averageLength = Math.max(1, answer?.facet_counts?.[0]?.stats.avg ?? 1);
    this.asked = { documents, averageLength, askedAt: performance.now(), state };
  }
}

/** A filter of more values than this takes the engine longer than to list the classes of a usual word. */
const shortFilter = 200;

/** So many classes are listed at most; of more documents than that the engine looks at few. */
const mostListed = 1_000;

/** Whether a filter is so long that documents are counted without it. */
export const isLong = ({ byClass }: OpenDocuments): boolean => byClass !== null && byClass.values > shortFilter;

/**
 * Counts the documents that a person can see and that pass a condition.
 *
 * The engine works out a filter anew for every search: five thousand groups take it some 20 ms each time. So where the
 * filter is long, documents are counted by the sample in memory. Where it has too few of them, they are counted in the
 * engine without the filter, by their access class, and those of the classes that are open are added up here. Which of
 * these decides is told by documents that the person can see alone.
 */
class VisibleCount {
  /** null: there are more classes than are listed. */
  private listed: number | null | undefined = undefined;
  private filteredCount: number | null = null;

  /** @param sampled how many there are by the sample; null: it does not say enough. */
  constructor(
    private readonly collection: string,
    private readonly among: OpenDocuments,
    private readonly condition: string,
    private readonly sampled: number | null,
  ) {}

  /** How many there are; null: something has still to be asked. */
  get documents(): number | null {
    return this.sampled ?? this.filteredCount ?? this.listed ?? null;
  }

  /** The search that tells. */
  search(): EngineSearch {
    return isLong(this.among) && this.listed === undefined ? this.listing() : this.filtered();
  }

  take(answer: EngineAnswer<unknown> | undefined): void {
    if (isLong(this.among) && this.listed === undefined) this.listed = this.openIn(answer);
    else this.filteredCount = answer?.found ?? 0;
  }

  private filtered(): EngineSearch {
    const { filter } = this.among;
    return {
      ...{ collection: this.collection, q: "*", per_page: 0 },
      filter_by: filter === null ? this.condition : `${filter} && ${this.condition}`,
    };
  }

  private listing(): EngineSearch {
    const { narrowing = "" } = this.among.byClass ?? {};
    return {
      ...{ collection: this.collection, q: "*", per_page: 0 },
      filter_by: [this.condition, ...(narrowing === "" ? [] : [narrowing])].join(" && "),
      ...{ facet_by: "cls", facet_strategy: "exhaustive", max_facet_values: mostListed },
      ...{ facet_sample_threshold: mostListed, facet_sample_percent: 1 },
    };
  }

  /** null: there are more classes than are listed. */
  private openIn(answer: EngineAnswer<unknown> | undefined): number | null {
    const { counts = [], sampled = false } = answer?.facet_counts?.[0] ?? {};
    const isOpen = ({ value }: { readonly value: string }): boolean => this.among.byClass?.opens(value) === true;
    const [open, listed] = [counts.filter(isOpen), counts].map((some) =>
      some.reduce((sum, { count }) => sum + count, 0),
    );
    return !sampled && (listed as number) >= (answer?.found ?? 0) ? (open as number) : null;
  }
}
