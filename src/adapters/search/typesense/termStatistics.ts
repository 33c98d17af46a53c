import { LRUCache } from "lru-cache";
import { inverseDocumentFrequency } from "../../../analysis/bm25f.js";
import type { Population } from "./accessFilter.js";
import type { EngineAnswer, EngineSearch, TypesenseConnection } from "./connection.js";
import { engineSurface, fieldOf } from "./encoding.js";

/** For how many terms of a population the document frequency is remembered. */
const rememberedTerms = 20_000;
/** How long a document frequency serves; it is used only to rank. */
export const rememberedMs = 60_000;
/** Below this many documents frequencies serve only while the index stands still: one document more or less matters. */
const smallCollection = 5_000;
/** How many words are looked for together where most of them are expected to stand nowhere. */
const askedTogether = 25;

/** For how many populations statistics are remembered. */
const rememberedPopulations = 200;

/** How rare terms are, and how long documents are on average, among the documents that each person can see. */
export class TermStatisticsByPopulation {
  private readonly known = new LRUCache<string, TermStatistics>({ max: rememberedPopulations });

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collection: string,
  ) {}

  /** `seen`: the state of the index that was seen last; null: none was. */
  of({ key, filter }: Population, seen: string | null): TermStatistics {
    const known = this.known.get(key);
    if (known?.servesAt(seen) === true) return known;
    const statistics = new TermStatistics({ connection: this.connection, collection: this.collection, filter, seen });
    this.known.set(key, statistics);
    return statistics;
  }
}

interface Counted {
  readonly connection: TypesenseConnection;
  readonly collection: string;
  /** null: all documents. */
  readonly filter: string | null;
  /** The state of the index that was seen before anything was asked; null: none was. */
  readonly seen: string | null;
}

/**
 * How rare terms are, and how long documents are on average, among some documents. Terms and surfaces are in the
 * engine's form. What is known of few documents serves as long as the index stands still.
 */
export class TermStatistics {
  /** Bounded by size: bounded by number, the cache would make room for all entries at once. */
  private readonly frequencies = new LRUCache<string, number>({
    maxSize: rememberedTerms,
    sizeCalculation: () => 1,
    ttl: rememberedMs,
    // What a search has learnt serves it to its end.
    allowStale: true,
    noDeleteOnStaleGet: true,
  });
  private documents = 0;
  private averageLength = 1;
  private lengthAskedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly counted: Counted) {}

  /** Whether what is known serves a search of the index in this state. */
  servesAt(state: string | null): boolean {
    return this.mayBeBehind || (state !== null && state === this.counted.seen);
  }

  /** The state of the index that was seen before anything was asked; null: none was. */
  get seen(): string | null {
    return this.counted.seen;
  }

  /** Whether anything has been learnt yet. */
  get isLearnt(): boolean {
    return this.lengthAskedAt > Number.NEGATIVE_INFINITY;
  }

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
    const unknown = this.unknownAmong(terms);
    const lengthSearches = this.lengthSearches();
    const counts = unknown.map((term) => this.counting(`${fieldOf(term)}:${term}`));
    const searches = [...others, ...lengthSearches, ...counts];
    if (searches.length === 0) return [];
    const answers = await this.counted.connection.search<unknown>(searches);
    if (lengthSearches.length > 0) this.takeLength(answers[others.length]);
    answers
      .slice(others.length + lengthSearches.length)
      .forEach(({ found }, index) => this.frequencies.set(unknown[index] as string, found));
    return answers.slice(0, others.length);
  }

  /**
   * Learns which of these words any document holds as written. Of what everybody writes, few documents hold little: then
   * some are asked for together, and each for itself where any of them is held.
   */
  async learnSurfaces(words: readonly string[]): Promise<void> {
    const surfaces = words.map(engineSurface);
    if (!this.mayBeBehind) await this.leaveOutAbsent(this.unknownAmong(surfaces));
    await this.learn(surfaces);
  }

  /** How many documents pass this filter and each of these conditions. */
  async documentsPassing(conditions: readonly string[], filter: string): Promise<readonly number[]> {
    const { connection, collection } = this.counted;
    const isRemembered = filter === this.counted.filter && !this.mayBeBehind;
    const unknown = isRemembered ? this.unknownAmong(conditions) : conditions;
    const answers = await connection.search(
      unknown.map((condition): EngineSearch => ({
        ...{ collection, q: "*", filter_by: `${filter} && ${condition}`, per_page: 0 },
      })),
    );
    const found = new Map(unknown.map((condition, index) => [condition, answers[index]?.found ?? 0]));
    if (isRemembered) for (const [condition, documents] of found) this.frequencies.set(condition, documents);
    return conditions.map((condition) => found.get(condition) ?? this.frequencies.get(condition) ?? 0);
  }

  /** True where a term that stood nowhere when it was asked for may have come since. */
  get mayBeBehind(): boolean {
    return this.documents >= smallCollection;
  }

  private async leaveOutAbsent(surfaces: readonly string[]): Promise<void> {
    const groups = inGroups(
      surfaces.filter((surface) => fieldOf(surface) === "w"),
      askedTogether,
    );
    const answers = await this.counted.connection.search(
      groups.map((group) => this.counting(`w:[${group.join(",")}]`)),
    );
    const absent = groups.filter((_group, index) => answers[index]?.found === 0).flat();
    for (const surface of absent) this.frequencies.set(surface, 0);
  }

  private unknownAmong(terms: readonly string[]): readonly string[] {
    return [...new Set(terms)].filter((term) => !this.frequencies.has(term));
  }

  private counting(condition: string): EngineSearch {
    const { collection, filter } = this.counted;
    return {
      collection,
      q: "*",
      filter_by: filter === null ? condition : `${filter} && ${condition}`,
      per_page: 0,
    };
  }

  private lengthSearches(): readonly EngineSearch[] {
    if (performance.now() - this.lengthAskedAt < rememberedMs) return [];
    const { collection, filter } = this.counted;
    const within = filter === null ? {} : { filter_by: filter };
    return [{ collection, q: "*", facet_by: "len", per_page: 0, ...within }];
  }

  private takeLength(answer: EngineAnswer<unknown> | undefined): void {
    if (answer === undefined) return;
    this.documents = answer.found;
    this.averageLength = Math.max(1, answer.facet_counts?.[0]?.stats.avg ?? 1);
    this.lengthAskedAt = performance.now();
  }
}

function inGroups<One>(all: readonly One[], size: number): readonly (readonly One[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
