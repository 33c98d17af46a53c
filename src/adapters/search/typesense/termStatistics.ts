import { LRUCache } from "lru-cache";
import { inverseDocumentFrequency } from "../../../analysis/bm25f.js";
import { entriesAtMost, inGroups } from "../../../shared/entriesAtMost.js";
import type { OpenDocuments, Population } from "./accessFilter.js";
import type { EngineAnswer, EngineSearch, TypesenseConnection } from "./connection.js";
import { engineSurface, fieldOf } from "./encoding.js";
import { VisibleCounts } from "./visibleCounts.js";

/** For how many terms of a population the document frequency is remembered. */
const rememberedTerms = 20_000;

/** How long a document frequency serves; it is used only to rank. */
export const rememberedMs = 60_000;

/** Below this many documents frequencies serve only while the index stands still: one document more or less matters. */
const smallCollection = 5_000;

/** How many words, or groups of words, are looked for together where most of them are expected to stand nowhere. */
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
  of(population: Population, seen: string | null): TermStatistics {
    const known = this.known.get(population.key);
    if (known?.servesAt(seen) === true) return known;
    const { connection, collection } = this;
    const statistics = new TermStatistics({ connection, collection, among: population, seen });
    this.known.set(population.key, statistics);
    return statistics;
  }
}

interface Counted {
  readonly connection: TypesenseConnection;
  readonly collection: string;
  readonly among: OpenDocuments;
  /** The state of the index that was seen before anything was asked; null: none was. */
  readonly seen: string | null;
}

/**
 * How rare terms are, and how long documents are on average, among some documents. Terms and surfaces are in the
 * engine's form. What is known of few documents serves as long as the index stands still.
 */
export class TermStatistics {
  private readonly frequencies = new LRUCache<string, number>({
    ...entriesAtMost(rememberedTerms),
    ttl: rememberedMs,
    // What a search has learnt serves it to its end.
    allowStale: true,
    noDeleteOnStaleGet: true,
  });
  /** How many documents at least hold a term that is not counted exactly. */
  private readonly atLeast = new LRUCache<string, number>({ ...entriesAtMost(rememberedTerms), ttl: rememberedMs });
  private readonly counts: VisibleCounts;
  private documents = 0;
  private averageLength = 1;
  private lengthAskedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly counted: Counted) {
    this.counts = new VisibleCounts(counted.connection, counted.collection, counted.among);
  }

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

  /** How many documents there are. */
  get all(): number {
    return this.documents;
  }

  /** How many of the documents hold the term or surface, as far as it was asked for; of a surface: whether any does. */
  documentsWith(held: string): number {
    return Math.min(this.frequencies.get(held) ?? this.atLeast.get(held) ?? 0, this.documents);
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

  /**
   * Learns what is not known of these terms and surfaces, in one request with `others`, and returns the answers to
   * these.
   */
  async learn(
    terms: readonly string[],
    others: readonly EngineSearch[] = [],
  ): Promise<readonly EngineAnswer<unknown>[]> {
    const unknown = this.unknownAmong(terms);
    const lengthSearches = this.lengthSearches();
    const conditions = unknown.map(holding);
    const searches = [...others, ...lengthSearches, ...conditions.map((condition) => this.counts.searchFor(condition))];
    if (searches.length === 0) return [];
    const answers = await this.counted.connection.search<unknown>(searches);
    if (lengthSearches.length > 0) this.takeLength(answers[others.length]);
    const counted = answers.slice(others.length + lengthSearches.length).map((answer) => this.counts.read(answer));
    // What could not be counted any more is taken for what is known of it.
    const settled = await this.counts.settle(conditions, counted);
    settled.forEach(({ documents }, index) => this.frequencies.set(unknown[index] as string, documents));
    return answers.slice(0, others.length);
  }

  /**
   * Learns which of these terms are the rarest, as many as are asked for, and how many documents hold each of those.
   * For the others it may be known only that more documents hold them.
   */
  async learnRarest(terms: readonly string[], most: number): Promise<void> {
    if (this.counts.isFiltered) return void (await this.learn(terms));
    const listed = this.unknownAmong(terms).filter((term) => !this.atLeast.has(term));
    (await this.counts.count(listed.map(holding), "atLeast")).forEach(({ documents, isExact }, index) =>
      (isExact ? this.frequencies : this.atLeast).set(listed[index] as string, documents),
    );
    for (;;) {
      const rarest = [...new Set(terms)]
        .filter((term) => !this.frequencies.has(term) || this.documentsWith(term) > 0)
        .sort((a, b) => this.documentsWith(a) - this.documentsWith(b))
        .slice(0, most);
      const vague = this.unknownAmong(rarest);
      if (vague.length === 0) return;
      await this.learn(vague);
    }
  }

  /** Learns which of these words any document holds as written. */
  async learnSurfaces(words: readonly string[]): Promise<void> {
    await this.learnHeld(words.map((word) => [word]));
  }

  /**
   * Learns of each group of words whether any document holds one of them as written, and returns it. Several groups are
   * asked for together, and each by itself where a document holds any of them.
   */
  async learnHeld(groups: readonly (readonly string[])[]): Promise<readonly boolean[]> {
    const surfaces = groups.map((words) => words.map(engineSurface));
    const isHeld = (surface: string): boolean => this.documentsWith(surface) > 0;
    const unknown = surfaces.map((group) => (group.some(isHeld) ? [] : this.unknownAmong(group)));
    const open = new Map(unknown.map((group) => [keyOf(group), group]));
    for (const key of open.keys()) if (key === nothing || this.frequencies.has(key)) open.delete(key);
    if (!this.counts.isFiltered) await this.learnByClass(open);
    if (!this.counts.isFiltered || !this.mayBeBehind) await this.learnTogether(open);
    const left = [...open].map(([key, group]) => ({ key, condition: holdingAny(group) }));
    const counts = await this.counts.settle(
      left.map(({ condition }) => condition),
      left.map(() => ({ documents: 0, isExact: false })),
    );
    left.forEach(({ key }, index) => this.frequencies.set(key, counts[index]?.documents ?? 0));
    return surfaces.map((group, index) => group.some(isHeld) || this.documentsWith(keyOf(unknown[index] ?? [])) > 0);
  }

  /** Takes those out of which the first classes tell it. */
  private async learnByClass(open: Map<string, readonly string[]>): Promise<void> {
    const asked = [...open];
    const counts = await this.counts.count(
      asked.map(([, group]) => holdingAny(group)),
      "any",
    );
    counts.forEach(({ documents, isExact }, index) => {
      const [key] = asked[index] as (typeof asked)[number];
      if (!isExact && documents === 0) return;
      this.frequencies.set(key, documents);
      open.delete(key);
    });
  }

  /** Takes those out that are nowhere, as some of them together are. */
  private async learnTogether(open: Map<string, readonly string[]>): Promise<void> {
    const together = inGroups([...open], askedTogether);
    const found = await this.counts.filtered(together.map((some) => holdingAny(some.flatMap(([, group]) => group))));
    together.forEach((some, index) => {
      if (found[index] !== 0) return;
      for (const [key] of some) {
        this.frequencies.set(key, 0);
        open.delete(key);
      }
    });
  }

  /** How many of these documents pass each of the conditions. */
  async documentsPassing(conditions: readonly string[], among: OpenDocuments): Promise<readonly number[]> {
    const { connection, collection } = this.counted;
    const isRemembered = among.filter === this.counted.among.filter && !this.mayBeBehind;
    const unknown = isRemembered ? this.unknownAmong(conditions) : conditions;
    const counts = new VisibleCounts(connection, collection, among);
    const counted = await counts.settle(unknown, await counts.count(unknown));
    const found = new Map(unknown.map((condition, index) => [condition, counted[index]?.documents ?? 0]));
    if (isRemembered) for (const [condition, documents] of found) this.frequencies.set(condition, documents);
    return conditions.map((condition) => found.get(condition) ?? this.frequencies.get(condition) ?? 0);
  }

  /** True where a term that stood nowhere when it was asked for may have come since. */
  get mayBeBehind(): boolean {
    return this.documents >= smallCollection;
  }

  private unknownAmong(terms: readonly string[]): readonly string[] {
    return [...new Set(terms)].filter((term) => !this.frequencies.has(term));
  }

  private lengthSearches(): readonly EngineSearch[] {
    if (performance.now() - this.lengthAskedAt < rememberedMs) return [];
    const { collection, among } = this.counted;
    const within = among.filter === null ? {} : { filter_by: among.filter };
    return [{ collection, q: "*", facet_by: "len", per_page: 0, ...within }];
  }

  private takeLength(answer: EngineAnswer<unknown> | undefined): void {
    if (answer === undefined) return;
    this.documents = answer.found;
    this.averageLength = Math.max(1, answer.facet_counts?.[0]?.stats.avg ?? 1);
    this.lengthAskedAt = performance.now();
  }
}

const holding = (held: string): string => `${fieldOf(held)}:${held}`;

/** The key of no surface at all. */
const nothing = "";

/** Under what it is remembered whether any document holds one of these surfaces. */
const keyOf = (surfaces: readonly string[]): string =>
  surfaces.length > 1 ? holdingAny(surfaces) : (surfaces[0] ?? nothing);

const holdingAny = (surfaces: readonly string[]): string => `w:[${surfaces.join(",")}]`;
