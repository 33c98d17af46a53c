import type { QueryWord } from "../../../analysis/analyseQuery.js";
import { compoundSplits, likeliestSplit } from "../../../analysis/compounds.js";
import { termsOf } from "../../../analysis/words.js";
import type { WeighedPostings } from "./scores.js";
import type { Visibility } from "./visibility.js";
import type { VocabularyLookup } from "./vocabularyLookup.js";

/** What a correction is worth against the word as typed, by its distance. */
const correctionWorth = [1, 0.6, 0.4] as const;
/** A word that is rare, not unknown, gives way only to words that are so many times as frequent. */
const farMoreFrequent = 20;
const mostCorrections = 3;
/** Visible documents of a part or a correction that are counted at most. */
const countedDocuments = 100;

/** Terms that count as a word of the query, and where they are found. */
export interface Expansion {
  readonly terms: readonly string[];
  readonly ways: readonly WeighedPostings[];
}

type Weigh = (terms: readonly string[], worth: number) => readonly WeighedPostings[];

/**
 * What a rare or unknown word may stand for: a compound of two words, or a misspelled word. Only documents that the
 * person can see count for it, so that an answer never tells whether a word stands in others. The vocabulary merely
 * proposes; that it proposes at most so many words is the one way in which others' documents could matter.
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
    const split = likeliestSplit(splits.filter(({ head, tail }) => known.has(head) && known.has(tail)), documentsWith);
    return split === null ? [] : [this.expand(split.head, 1), this.expand(split.tail, 1)];
  }

  /** What the word may be a misspelling of; `documents` is how many visible ones hold it as it is. */
  corrections({ word, terms: typed }: QueryWord, documents: number, visibility: Visibility): readonly Expansion[] {
    const needed = documents === 0 ? 1 : documents * farMoreFrequent;
    return this.vocabulary
      .near(word)
      .map(({ word: near, distance }) => {
        const expansion = this.expand(near, correctionWorth[distance as 0 | 1 | 2], typed);
        return { expansion, distance, documents: this.documents(expansion.ways, visibility) };
      })
      .filter((correction) => correction.documents >= needed)
      .sort((a, b) => a.distance - b.distance || b.documents - a.documents)
      .slice(0, mostCorrections)
      .map(({ expansion }) => expansion);
  }

  private expand(word: string, worth: number, typed: readonly string[] = []): Expansion {
    const terms = termsOf(word).filter((term) => !typed.includes(term));
    return { terms, ways: this.weigh(terms, worth) };
  }

  private documents(ways: readonly WeighedPostings[], visibility: Visibility): number {
    return visibility.countAny(ways.map(({ postings }) => postings), countedDocuments);
  }
}
