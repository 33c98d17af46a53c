import type { OpenDocuments } from "./accessFilter.js";
import type { EngineAnswer, EngineSearch } from "./connection.js";

/** A filter of more values than this takes the engine longer than to list the classes of a usual word. */
const shortFilter = 200;

/** So many classes are listed at most; of more documents than that the engine looks at few. */
const mostListed = 1_000;

/** So many documents of a sample say enough of how many there are. */
const enough = 24;

/** How many documents one of each sample stands for. */
const samples = { none: 1, usual: 16, coarse: 256 } as const;
type Sample = keyof typeof samples;
const allSamples: readonly Sample[] = ["none", "usual", "coarse"];
/** The words by which the engine tells samples. */
const sampleWords = { usual: "s", coarse: "t" } as const;

/**
 * The samples that a document belongs to, as the engine holds them. Its id alone decides, so that each person who sees
 * it counts it alike, whatever else there is.
 */
export function sampleOf(id: string): string {
  const number = Number.parseInt(id.slice(0, 2), 16);
  if (number === 0) return `${sampleWords.usual} ${sampleWords.coarse}`;
  return number % samples.usual === 0 ? sampleWords.usual : "";
}

/** What is known of one condition. */
interface Listed {
  readonly none?: number | null;
  readonly usual?: number | null;
  readonly coarse?: number | null;
  readonly filtered?: number;
}

/**
 * Counts the documents that a person can see and that pass a condition.
 *
 * The engine works out a filter anew for every search: five thousand groups take it some 20 ms each time. So where the
 * filter is long, documents are counted without it by their access class, and those of the classes that are open are
 * added up here: all of them where they are few, and else those of a sample. Which of these decides is told by documents
 * that the person can see alone.
 */
export class VisibleCount {
  private readonly isListed: boolean;
  private known: Listed = {};

  constructor(
    private readonly collection: string,
    private readonly among: OpenDocuments,
    private readonly condition: string,
  ) {
    this.isListed = among.byClass !== null && among.byClass.values > shortFilter;
  }

  /** How many there are; null: something has still to be asked. */
  get documents(): number | null {
    const { none = null, usual = null, coarse = null, filtered } = this.known;
    if (filtered !== undefined) return filtered;
    if (coarse !== null && coarse >= enough) return coarse * samples.coarse;
    if (usual !== null && usual >= enough) return usual * samples.usual;
    return coarse === null || usual === null ? null : none;
  }

  /** The searches that may tell; in the order in which {@link take} has their answers. */
  searches(): readonly EngineSearch[] {
    const areListed = this.isListed && this.known.none === undefined;
    return areListed ? allSamples.map((sample) => this.listing(sample)) : [this.filtered()];
  }

  take(answers: readonly EngineAnswer<unknown>[]): void {
    if (!this.isListed || this.known.none !== undefined) {
      this.known = { ...this.known, filtered: answers[0]?.found ?? 0 };
      return;
    }
    const [none, usual, coarse] = answers.map((answer) => this.openIn(answer));
    this.known = { none: none ?? null, usual: usual ?? null, coarse: coarse ?? null };
  }

  private filtered(): EngineSearch {
    const { filter } = this.among;
    return {
      ...{ collection: this.collection, q: "*", per_page: 0 },
      filter_by: filter === null ? this.condition : `${filter} && ${this.condition}`,
    };
  }

  private listing(sample: Sample): EngineSearch {
    const { narrowing = "" } = this.among.byClass ?? {};
    const within = [...(sample === "none" ? [] : [`sample:${sampleWords[sample]}`]), this.condition];
    return {
      ...{ collection: this.collection, q: "*", per_page: 0 },
      filter_by: [...within, ...(narrowing === "" ? [] : [narrowing])].join(" && "),
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
