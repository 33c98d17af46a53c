import type { QueryWord } from "../../../analysis/analyseQuery.js";
import { compoundSplits, likeliestSplit } from "../../../analysis/compounds.js";
import { convincingCorrections, countedDocuments } from "../../../analysis/corrections.js";
import { termsOf } from "../../../analysis/words.js";
import type { WeighedPostings } from "./scores.js";
import type { Visibility } from "./visibility.js";
import type { VocabularyLookup } from "./vocabularyLookup.js";

/** Terms that count as a word of the query, and where they are found. */
export interface Expansion {
  readonly terms: readonly string[];
  readonly ways: readonly WeighedPostings[];
}

type Weigh = (terms: readonly string[], worth: number) => readonly WeighedPostings[];

/**
 * What a rare or unknown word may stand for: a compound of two words, or a misspelled word. Only documents that the
 * person can see count for it, so an answer never tells whether a word stands in others. The vocabulary merely
 * proposes. It proposes a limited number of words, and only by that could others' documents matter.
 */
export class RareWords {
  constructor(
    private readonly vocabulary: VocabularyLookup,
    private readonly weigh: Weigh,
  ) {}

  /** The two words that a compound is made of; empty where it is none. */
  partsOf({ word }: QueryWord, visibility: Visibility): readonly Expansion[] {
    const splits = compoundSplits(word);
    const known = this.vocabulary.known([...new Set(splits.flatMap(({ head, tail }) => [head, tail]))]);
    const counted = new Map<string, number>();
    const documentsWith = (part: string): number => {
      const documents = counted.get(part) ?? this.documents(this.expand(part, 1).ways, visibility);
      counted.set(part, documents);
      return documents;
    };
    const split = likeliestSplit(
      splits.filter(({ head, tail }) => known.has(head) && known.has(tail)),
      documentsWith,
    );
    return split === null ? [] : [this.expand(split.head, 1), this.expand(split.tail, 1)];
  }

  /** What the word may be a misspelling of. `documents` is how many visible ones hold it as it is. */
  corrections({ word, terms: typed }: QueryWord, documents: number, visibility: Visibility): readonly Expansion[] {
    const near = this.vocabulary.near(word).map((candidate) => ({
      ...candidate,
      documents: this.documents(this.expand(candidate.word, 1, typed).ways, visibility),
    }));
    return convincingCorrections(near, documents).map((correction) =>
      this.expand(correction.word, correction.worth, typed),
    );
  }

  private expand(word: string, worth: number, typed: readonly string[] = []): Expansion {
    const terms = termsOf(word).filter((term) => !typed.includes(term));
    return { terms, ways: this.weigh(terms, worth) };
  }

  private documents(ways: readonly WeighedPostings[], visibility: Visibility): number {
    return visibility.countAny(
      ways.map(({ postings }) => postings),
      countedDocuments,
    );
  }
}
