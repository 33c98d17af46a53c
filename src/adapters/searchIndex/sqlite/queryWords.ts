import type { QueryPhrase, QueryWord } from "../../../analysis/analyseQuery.js";
import { inverseDocumentFrequency } from "../../../analysis/bm25f.js";
import type { SoughtWord } from "../../../analysis/snippet.js";
import { termsOf } from "../../../analysis/words.js";
import type { Collection } from "./collection.js";
import type { Postings, PostingsCache } from "./postings.js";
import type { WeighedPostings } from "./scores.js";
import type { Visibility } from "./visibility.js";
import type { VocabularyLookup } from "./vocabularyLookup.js";

/** What a word that continues the last one is worth, against the word as typed. */
const completionWorth = 0.5;
/** What a correction is worth, by its distance. */
const correctionWorth = [1, 0.6, 0.4] as const;
/** A word that at most so many of the person's documents hold may be a misspelling. */
const rareDocuments = 2;
/** A word that is rare, not unknown, gives way only to words that are so many times as frequent. */
const farMoreFrequent = 20;
const mostCorrections = 3;
/** Words of one query that are corrected at most. */
const mostCorrectedWords = 8;
/** Visible documents of a correction that are counted at most. */
const countedDocuments = 100;

/** A word of the query as it is run: the ways in which a document may hold it. */
export interface RunnableWord {
  readonly alternatives: readonly WeighedPostings[];
  /** For the passage shown. */
  readonly sought: SoughtWord;
}

const quoted = (terms: readonly string[]): string => `"${terms.join(" ")}"`;

/** A phrase as an FTS5 expression: any of its sequences, each adjacent and in order. */
export const phraseExpression = (phrase: QueryPhrase): string => phrase.sequences.map(quoted).join(" OR ");

/**
 * Turns the words of a query into postings: as typed, as the beginning of a word, and corrected. Whether a word is
 * corrected, and to what, is decided by documents that the person can see, so that a correction never tells whether a
 * word stands in others.
 */
export class QueryWords {
  constructor(
    private readonly postings: PostingsCache,
    private readonly vocabulary: VocabularyLookup,
    private readonly collection: Collection,
  ) {}

  toRun(words: readonly QueryWord[], visibility: Visibility): readonly RunnableWord[] {
    let corrected = 0;
    return words.map((word) => {
      const typed = { terms: word.terms, ways: this.weigh(word.terms, 1) };
      const known = word.isPrefix ? [typed, this.complete(word, typed)] : [typed];
      const documents = visibleDocuments(waysOf(known), visibility, rareDocuments + 1);
      if (documents > rareDocuments || corrected === mostCorrectedWords) return runnable(known);
      corrected += 1;
      return runnable([...known, ...this.correct(word, documents, visibility)]);
    });
  }

  /** The ways in which a document may hold any of these terms; all count as rare as they are together. */
  private weigh(terms: readonly string[], worth: number): readonly WeighedPostings[] {
    const found = terms.map((term) => this.postings.of(quoted([term]))).filter(({ size }) => size > 0);
    return weighTogether(found, worth, this.collection.size);
  }

  private complete(word: QueryWord, typed: Expansion): Expansion {
    const terms = newTerms(this.vocabulary.completions(word.word), word.terms);
    const found = terms.map((term) => this.postings.of(quoted([term]))).filter(({ size }) => size > 0);
    const asTyped = typed.ways.map(({ postings }) => postings);
    return { terms, ways: weighTogether([...asTyped, ...found], completionWorth, this.collection.size).slice(asTyped.length) };
  }

  private correct(word: QueryWord, visible: number, visibility: Visibility): readonly Expansion[] {
    const needed = visible === 0 ? 1 : visible * farMoreFrequent;
    return this.vocabulary
      .near(word.word)
      .map(({ word: near, distance }) => this.correction(newTerms([near], word.terms), distance, visibility))
      .filter(({ documents }) => documents >= needed)
      .sort((a, b) => a.distance - b.distance || b.documents - a.documents)
      .slice(0, mostCorrections);
  }

  private correction(terms: readonly string[], distance: number, visibility: Visibility): Expansion & { readonly distance: number; readonly documents: number } {
    const ways = this.weigh(terms, correctionWorth[distance as 0 | 1 | 2]);
    return { terms, ways, distance, documents: visibleDocuments(ways, visibility, countedDocuments) };
  }
}

/** Terms that count as a word of the query, and where they are found. */
interface Expansion {
  readonly terms: readonly string[];
  readonly ways: readonly WeighedPostings[];
}

const waysOf = (expansions: readonly Expansion[]): readonly WeighedPostings[] => expansions.flatMap(({ ways }) => ways);

function runnable(expansions: readonly Expansion[]): RunnableWord {
  const alternatives = waysOf(expansions);
  const weight = Math.max(0, ...alternatives.map(({ factor }) => factor));
  return { alternatives, sought: { terms: expansions.flatMap(({ terms }) => terms), weight } };
}

/** Each as rare as all of them together: a rare inflection must not outweigh the word itself. */
function weighTogether(found: readonly Postings[], worth: number, documents: number): readonly WeighedPostings[] {
  const holding = Math.min(documents, found.reduce((sum, { size }) => sum + size, 0));
  const factor = worth * inverseDocumentFrequency(documents, holding);
  return found.map((postings) => ({ postings, factor }));
}

const newTerms = (words: readonly string[], known: readonly string[]): readonly string[] =>
  [...new Set(words.flatMap(termsOf))].filter((term) => !known.includes(term));

function visibleDocuments(ways: readonly WeighedPostings[], visibility: Visibility, most: number): number {
  let documents = 0;
  for (const { postings } of ways) documents += visibility.count(postings.slots, postings.size, most - documents);
  return documents;
}
