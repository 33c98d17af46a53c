import { inGroups } from "../../../shared/entriesAtMost.js";
import type { OpenDocuments } from "./accessFilter.js";
import type { EngineAnswer, EngineSearch, TypesenseConnection } from "./connection.js";

/** A filter of more values than this takes the engine longer than to list the classes of a usual word. */
const shortFilter = 200;

/** How many classes say enough to tell whether any of them is open. */
const classesAtFirst = 100;

/** Above so many documents, every tenth document is enough. */
const sampled = { facet_sample_threshold: 500, facet_sample_percent: 10 };

/** How many conditions are asked for with a long filter for one step of a search, and in how large requests. */
const mostFiltered = 64;

const filteredAtOnce = 8;

/** In how many documents that a person can see something stands. */
interface VisibleCount {
  /** Where it is not exact: at least so many; where it was only asked whether there is any: none or some. */
  readonly documents: number;
  readonly isExact: boolean;
}

/** What classes are to tell: how many documents pass, how many at least, or whether any does. */
type Asked = "exactly" | "atLeast" | "any";

/**
 * Counts documents that a person can see.
 *
 * The engine works out a filter anew for every search: five thousand groups take it some 30 ms each time. So where the
 * filter is long, documents are counted without it by their access class, and those of the classes that are open are
 * added up here. Only what stands in documents of more classes than are listed is asked for with the filter, and of
 * that no more than a fixed number.
 */
export class VisibleCounts {
  private readonly isListed: boolean;

  constructor(
    private readonly connection: TypesenseConnection,
    private readonly collection: string,
    private readonly among: OpenDocuments,
  ) {
    this.isListed = among.byClass !== null && among.byClass.values > shortFilter;
  }

  /** Whether counting takes the filter, which costs little then. */
  get isFiltered(): boolean {
    return !this.isListed;
  }

  /** The search whose answer {@link read} understands. */
  searchFor(condition: string, asked: Asked = "exactly"): EngineSearch {
    const { byClass } = this.among;
    if (!this.isListed || byClass === null) return this.filteredSearch(condition);
    const { narrowing, values } = byClass;
    return {
      ...{ collection: this.collection, q: "*", per_page: 0 },
      filter_by: [...(narrowing === "" ? [] : [narrowing]), condition].join(" && "),
      facet_by: "cls",
      facet_strategy: "exhaustive",
      // Listing as many classes as the filter has values takes the engine about as long as the filter.
      max_facet_values: asked === "exactly" ? values : Math.min(values, classesAtFirst),
      ...(asked === "any" && sampled),
    };
  }

  read({ found, facet_counts: facets }: EngineAnswer<unknown>): VisibleCount {
    const { byClass } = this.among;
    if (!this.isListed || byClass === null) return { documents: found, isExact: true };
    const { counts = [], sampled: isSample = false } = facets?.[0] ?? {};
    let [documents, listed] = [0, 0];
    for (const { value, count } of counts) {
      listed += count;
      if (byClass.opens(value)) documents += count;
    }
    return { documents, isExact: !isSample && listed >= found };
  }

  /** How many documents pass each condition, as far as classes tell. */
  async count(conditions: readonly string[], asked: Asked = "exactly"): Promise<readonly VisibleCount[]> {
    const answers = await this.connection.search(conditions.map((one) => this.searchFor(one, asked)));
    return answers.map((answer) => this.read(answer));
  }

  /** Makes counts exact; with a long filter, the first {@link mostFiltered} of those that are not. */
  async settle(conditions: readonly string[], counts: readonly VisibleCount[]): Promise<readonly VisibleCount[]> {
    const vague = conditions
      .filter((_condition, index) => counts[index]?.isExact === false)
      .slice(0, this.isListed ? mostFiltered : Infinity);
    const found = new Map((await this.filtered(vague)).map((documents, index) => [vague[index] as string, documents]));
    return counts.map((count, index) => {
      const documents = found.get(conditions[index] as string);
      return documents === undefined ? count : { documents, isExact: true };
    });
  }

  /** How many documents pass each condition, with the filter. Long ones are worked out beside each other. */
  async filtered(conditions: readonly string[]): Promise<readonly number[]> {
    const searches = conditions.map((condition) => this.filteredSearch(condition));
    const requests = this.isListed ? inGroups(searches, filteredAtOnce) : [searches];
    const answers = await Promise.all(requests.map((some) => this.connection.search(some)));
    return answers.flat().map(({ found }) => found);
  }

  private filteredSearch(condition: string): EngineSearch {
    const { filter } = this.among;
    return {
      collection: this.collection,
      q: "*",
      filter_by: filter === null ? condition : `${filter} && ${condition}`,
      per_page: 0,
    };
  }
}
