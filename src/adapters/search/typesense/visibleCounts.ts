import type { OpenDocuments } from "./accessFilter.js";
import type { EngineAnswer, EngineSearch } from "./connection.js";

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
export class VisibleCount {
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
