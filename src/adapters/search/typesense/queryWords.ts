import type { AnalysedQuery, QueryWord } from "../../../analysis/analyseQuery.js";
import {
  canBeContinued,
  completedPlaces,
  completionsInOrder,
  completionWorth,
  likeliestCompletions,
  mostCompletions,
  wordsLookedThrough,
} from "../../../analysis/completions.js";
import type { SoughtWord } from "../../../analysis/snippet.js";
import { termsOf } from "../../../analysis/words.js";
import type { EngineSearch } from "./connection.js";
import { engineSurface, engineTerm, engineWord } from "./encoding.js";
import type { TermStatistics } from "./termStatistics.js";

/** One way in which a document may hold a word of the query. */
export interface Way {
  /** The term in the engine's form, and as the analyzer makes it. */
  readonly term: string;
  readonly analysed: string;
  /** Rarity, times what this way of matching is worth. */
  readonly factor: number;
  /** False where nothing held it when it was asked for. What has come since is found all the same. */
  readonly isSeen: boolean;
}

/** Terms that count as a word of the query, and the ways in which they are held. */
export interface Expansion {
  /** The terms as the analyzer makes them. */
  readonly terms: readonly string[];
  readonly ways: readonly Way[];
}

/** A word of the query as it is run. */
export interface RunnableWord {
  readonly ways: readonly Way[];
  /** True where no document can hold it in two of the ways: a document holds it in its own language alone. */
  readonly areDisjoint: boolean;
  /** The word to be marked in the passage shown. */
  readonly sought: SoughtWord;
}

/** A word as typed, with its weight, and with how it is run before anything is known of what the person can see. */
export type TypedWord = QueryWord & { readonly weight: number; readonly expansions: readonly Expansion[] };

/** How many completions the vocabulary proposes: as many as the engine gives at once. */
const mostProposed = 250;
/** How many of them are asked for in one request. */
const askedAtOnce = 25;

/** Every term of these words, in the engine's form. */
const engineTermsOf = (terms: readonly string[]): readonly string[] => terms.map(engineTerm);

/** The search for words of the vocabulary that begin with one, the shortest first. */
export const proposingSearch = (vocabulary: string, beginning: string): EngineSearch => ({
  collection: vocabulary,
  q: engineWord(beginning),
  query_by: "word",
  prefix: true,
  num_typos: 0,
  max_candidates: wordsLookedThrough,
  sort_by: "length:asc",
  include_fields: "text",
  per_page: mostProposed,
});

/** Turns the words of a query into ways to be found: as typed, and for the last one as the beginning of a word. */
export class QueryWords {
  constructor(
    private readonly statistics: TermStatistics,
    private readonly vocabulary: string,
  ) {}

  /** The terms that have to be learnt before the words can be weighed. */
  termsToLearn({ words }: AnalysedQuery): readonly string[] {
    return words.flatMap(({ terms }) => engineTermsOf(terms));
  }

  /** Words of the vocabulary that begin with the last one, the shortest first: what is most likely being typed. */
  completionSearches({ words }: AnalysedQuery): readonly EngineSearch[] {
    return words.filter(isContinued).map(({ word }) => proposingSearch(this.vocabulary, word));
  }

  /** Those of the words proposed that go on after this one and that a visible document holds as written, in order. */
  async openCompletions({ word }: QueryWord, proposed: readonly string[]): Promise<readonly string[]> {
    const inOrder = completionsInOrder(word, proposed);
    const open: string[] = [];
    for (let from = 0; from < inOrder.length && open.length < mostCompletions; from += askedAtOnce) {
      const asked = inOrder.slice(from, from + askedAtOnce);
      await this.statistics.learn([
        ...asked.map(engineSurface),
        ...new Set(asked.flatMap((completion) => engineTermsOf(termsOf(completion)))),
      ]);
      open.push(...asked.filter((completion) => this.statistics.documentsWith(engineSurface(completion)) > 0));
    }
    return open;
  }

  /** Those terms of these completions that are not terms of the word itself. */
  completing(word: QueryWord, completions: readonly string[]): readonly string[] {
    return [...new Set(likeliestCompletions(word.word, completions).flatMap(termsOf))].filter(
      (term) => !word.terms.includes(term),
    );
  }

  /** Call it once the terms have been learnt. */
  weigh({ words }: AnalysedQuery, completions: readonly string[]): readonly TypedWord[] {
    return words.map((word) => {
      const asTyped = this.expand(word.terms, 1);
      const expansions = isContinued(word)
        ? [asTyped, this.complete(asTyped, this.completing(word, completions))]
        : [asTyped];
      return { ...word, expansions, weight: toRunnable([asTyped]).sought.weight };
    });
  }

  /** Any of these terms, each as rare as it is in its own language. Call it once they have been learnt. */
  expand(terms: readonly string[], worth: number): Expansion {
    const ways = terms
      .map((analysed) => ({ analysed, term: engineTerm(analysed) }))
      .map((way) => ({ ...way, documents: this.statistics.documentsWith(way.term) }))
      .filter(({ documents }) => documents > 0 || this.statistics.mayBeBehind)
      .map(({ documents, ...way }) => ({
        ...way,
        factor: worth * this.statistics.rarityOf(Math.max(1, documents)),
        isSeen: documents > 0,
      }));
    return { terms, ways };
  }

  /**
   * All completions count as if they were as rare as they are together with the word: a rare one must not outweigh the
   * word itself.
   */
  private complete(asTyped: Expansion, terms: readonly string[]): Expansion {
    const found: Pick<Way, "term" | "analysed">[] = [];
    let places = 0;
    for (const analysed of terms) {
      if (places >= completedPlaces) break;
      const term = engineTerm(analysed);
      const documents = this.statistics.documentsWith(term);
      places += documents;
      if (documents > 0) found.push({ term, analysed });
    }
    const all = places + asTyped.ways.reduce((sum, { term }) => sum + this.statistics.documentsWith(term), 0);
    const factor = completionWorth * this.statistics.rarityOf(all);
    return { terms, ways: found.map((way) => ({ ...way, factor, isSeen: true })) };
  }
}

const isContinued = ({ isPrefix, word }: QueryWord): boolean => isPrefix && canBeContinued(word);

/** A word with the ways in which it is run. */
export function toRunnable(expansions: readonly Expansion[]): RunnableWord {
  const ways = expansions.flatMap((expansion) => expansion.ways);
  const weight = ways.reduce((most, { factor, isSeen }) => (isSeen ? Math.max(most, factor) : most), 0);
  return {
    ways,
    areDisjoint: expansions.length === 1,
    sought: { terms: expansions.flatMap(({ terms }) => terms), weight },
  };
}
