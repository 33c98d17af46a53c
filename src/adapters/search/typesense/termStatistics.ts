import { LRUCache } from "lru-cache";
import { inverseDocumentFrequency } from "../../../analysis/bm25f.js";
import type { Population } from "./accessFilter.js";
import type { EngineAnswer, EngineSearch, TypesenseConnection } from "./connection.js";
import { fieldOf } from "./encoding.js";

/** For how many terms of a population the document frequency is remembered. */
const rememberedTerms = 20_000;
/** How long a document frequency serves; it is used only to rank. */
export const rememberedMs = 60_000;
/**
 * Below this many documents every frequency is asked for anew: one document more or less would matter, and asking costs
 * little.
 */
const smallCollection = 5_000;

/** For how many populations statistics are remembered. */
const rememberedPopulations = 200;

/** How rare terms are, and how long documents are on average, among the documents that each person can see. */
export class TermStatisticsByPopulation {
  private readonly known = new LRUCache<string, TermStatistics>({ max: rememberedPopulations });

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collection: string,
  ) {}

  of({ key, filter }: Population): TermStatistics {
    let statistics = this.known.get(key);
    if (statistics === undefined) {
      statistics = new TermStatistics(this.connection, this.collection, filter);
      this.known.set(key, statistics);
    }
    return statistics;
  }
}

/**
 * How rare terms are, and how long documents are on average, among some documents. Terms and surfaces are in the
 * engine's form.
 */
export class TermStatistics {
  /** Bounded by size: bounded by number, the cache would make room for all entries at once. */
  private readonly frequencies = new LRUCache<string, number>({
    maxSize: rememberedTerms,
    sizeCalculation: () => 1,
    ttl: rememberedMs,
  });
  private documents = 0;
  private averageLength = 1;
  private lengthAskedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collection: string,
    /** null: all documents. */
    private readonly filter: string | null,
  ) {}

  /** How many terms a document has on average. */
  get usualLength(): number {
    return this.averageLength;
  }

  /** How many of the documents hold the term or surface, as far as it was asked for. */
  documentsWith(held: string): number {
    return Math.min(this.frequencies.get(held) ?? 0, this.documents);
  }

  /** How many documents hold any of these terms at most, as far as they were asked for. */
  mostWith(terms: readonly string[]): number {
    return Math.min(
      this.documents,
      terms.reduce((sum, term) => sum + this.documentsWith(term), 0),
    );
  }

  /** How much a word tells that this many documents hold. */
  rarityOf(documents: number): number {
    return inverseDocumentFrequency(this.documents, Math.min(this.documents, documents));
  }

  /** Learns what is not known of these terms and surfaces, in one request with `others`, and returns the answers to these. */
  async learn(
    terms: readonly string[],
    others: readonly EngineSearch[] = [],
  ): Promise<readonly EngineAnswer<unknown>[]> {
    const unknown = [...new Set(terms)].filter((term) => !this.isRemembered(term));
    const countSearches = unknown.map((term): EngineSearch => ({
      collection: this.collection,
      q: "*",
      filter_by: [...this.filters(), `${fieldOf(term)}:${term}`].join(" && "),
      per_page: 0,
    }));
    const lengthSearches = this.lengthSearches();
    const searches = [...others, ...lengthSearches, ...countSearches];
    if (searches.length === 0) return [];
    const answers = await this.connection.search<unknown>(searches);
    if (lengthSearches.length > 0) this.takeLength(answers[others.length]);
    answers
      .slice(others.length + lengthSearches.length)
      .forEach(({ found }, index) => this.frequencies.set(unknown[index] as string, found));
    return answers.slice(0, others.length);
  }

  /** True where a term that stood nowhere when it was asked for may have come since. */
  get mayBeBehind(): boolean {
    return this.documents >= smallCollection;
  }

  private isRemembered(term: string): boolean {
    return this.mayBeBehind && this.frequencies.has(term);
  }

  private filters(): readonly string[] {
    return this.filter === null ? [] : [this.filter];
  }

  private lengthSearches(): readonly EngineSearch[] {
    const isFresh = this.documents >= smallCollection && performance.now() - this.lengthAskedAt < rememberedMs;
    if (isFresh) return [];
    const within = this.filter === null ? {} : { filter_by: this.filter };
    return [{ collection: this.collection, q: "*", facet_by: "len", per_page: 0, ...within }];
  }

  private takeLength(answer: EngineAnswer<unknown> | undefined): void {
    if (answer === undefined) return;
    this.documents = answer.found;
    this.averageLength = Math.max(1, answer.facet_counts?.[0]?.stats.avg ?? 1);
    this.lengthAskedAt = performance.now();
  }
}
