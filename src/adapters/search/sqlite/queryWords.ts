import type { AnalysedQuery, QueryWord } from "../../../analysis/analyseQuery.js";
import { inverseDocumentFrequency } from "../../../analysis/bm25f.js";
import { completedPlaces, completionWorth } from "../../../analysis/completions.js";
import { mayHoldCompounds } from "../../../analysis/compounds.js";
import { mostRareWords, rareDocuments } from "../../../analysis/corrections.js";
import type { SoughtWord } from "../../../analysis/snippet.js";
import { termsOf } from "../../../analysis/words.js";
import type { PostingsCache } from "./postings.js";
import { RareWords, type Expansion, type Found, type Way } from "./rareWords.js";
import type { Visibility } from "./visibility.js";
import type { VocabularyLookup } from "./vocabularyLookup.js";

/** A word of the query as it is run: the ways in which a document may hold it. */
export interface RunnableWord {
  readonly alternatives: readonly Way[];
  /** True where no document can hold it in two of the ways: a document holds it in its own language alone. */
  readonly areDisjoint: boolean;
  /** The word to be marked in the passage shown. */
  readonly sought: SoughtWord;
}

/** A word as typed, with its weight. */
export type TypedWord = QueryWord & { readonly weight: number };

export interface RunnableQuery {
  readonly words: readonly RunnableWord[];
  readonly typed: readonly TypedWord[];
}

/**
 * Turns the words of a query into postings: as typed, as the beginning of a word, and, where they are rare, as a
 * compound of two words or corrected. Documents that the person can see decide what is rare.
 */
export class QueryWords {
  private readonly rareWords;

  constructor(
    private readonly postings: PostingsCache,
    private readonly vocabulary: VocabularyLookup,
  ) {
    this.rareWords = new RareWords(vocabulary, (terms, worth, visibility) => this.weigh(terms, worth, visibility));
  }

  toRun({ words, language }: AnalysedQuery, visibility: Visibility): RunnableQuery {
    let looked = 0;
    const runnable: RunnableWord[] = [];
    const typed = words.map((word) => {
      const asTyped: Expansion = { terms: word.terms, ways: this.weigh(word.terms, 1, visibility) };
      const expansions = word.isPrefix ? [asTyped, this.complete(word, asTyped, visibility)] : [asTyped];
      const documents = visibility.countAny(
        waysOf(expansions).map(({ postings }) => postings),
        rareDocuments + 1,
      );
      if (documents <= rareDocuments && looked++ < mostRareWords) {
        const parts = mayHoldCompounds(language) ? this.rareWords.partsOf(word, visibility) : [];
        runnable.push(...parts.map((part) => toRunnable([part])));
        if (parts.length === 0) expansions.push(...this.rareWords.corrections(word, documents, visibility));
      }
      runnable.push(toRunnable(expansions));
      return Object.assign({}, word, { weight: weightOf(asTyped.ways) });
    });
    return { words: runnable, typed };
  }

  /** The ways in which a document may hold any of these terms. Each is as rare as it is in its own language. */
  private weigh(terms: readonly string[], worth: number, visibility: Visibility): readonly Way[] {
    return this.find(terms, visibility).map((found) => ({
      ...found,
      factor: worth * rarity(found.documents, visibility),
    }));
  }

  /**
   * All completions count as if they were as rare as they are together with the word: a rare one must not outweigh the
   * word itself.
   */
  private complete(word: QueryWord, asTyped: Expansion, visibility: Visibility): Expansion {
    const terms = [...new Set(this.vocabulary.completions(word.word, visibility).flatMap(termsOf))].filter(
      (term) => !word.terms.includes(term),
    );
    const found: Found[] = [];
    let places = 0;
    for (const term of terms) {
      if (places >= completedPlaces) break;
      found.push(...this.find([term], visibility));
      places = documentsOf(found);
    }
    const factor = completionWorth * rarity(places + documentsOf(asTyped.ways), visibility);
    return { terms, ways: found.map((each) => ({ ...each, factor })) };
  }

  /** Terms that stand in no document of the person are left out. */
  private find(terms: readonly string[], visibility: Visibility): readonly Found[] {
    return terms
      .map((term) => ({ term, postings: this.postings.ofTerm(term) }))
      .map((found) => ({ ...found, documents: visibility.countOpen(found.postings) }))
      .filter(({ documents }) => documents > 0);
  }
}

const documentsOf = (found: readonly Found[]): number => found.reduce((sum, { documents }) => sum + documents, 0);

/** How much a word tells that this many of the person's documents hold. */
const rarity = (documents: number, { all }: Visibility): number =>
  inverseDocumentFrequency(all.documents, Math.min(all.documents, documents));

const waysOf = (expansions: readonly Expansion[]): readonly Way[] => expansions.flatMap(({ ways }) => ways);
const weightOf = (ways: readonly Way[]): number => ways.reduce((most, { factor }) => Math.max(most, factor), 0);

function toRunnable(expansions: readonly Expansion[]): RunnableWord {
  const alternatives = waysOf(expansions);
  return {
    alternatives,
    areDisjoint: expansions.length === 1,
    sought: { terms: expansions.flatMap(({ terms }) => terms), weight: weightOf(alternatives) },
  };
}
