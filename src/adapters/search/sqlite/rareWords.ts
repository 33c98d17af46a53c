import type { QueryWord } from "../../../analysis/analyseQuery.js";
import {
  apartSplits,
  compoundSplits,
  likeliestSplit,
  mostReadApart,
  partTerms,
  partWorth,
  type CompoundSplit,
} from "../../../analysis/compounds.js";
import { compoundWordWorth } from "../../../analysis/compoundWords.js";
import { convincingCorrections, countedDocuments, type Correctable } from "../../../analysis/corrections.js";
import { termsOf } from "../../../analysis/words.js";
import type { Reading } from "../../../readModels/explanation.js";
import type { Postings } from "./growingPostings.js";
import type { WeighedPostings } from "./scores.js";
import type { Visibility } from "./visibility.js";
import type { NearWord, VocabularyLookup } from "./vocabularyLookup.js";

/** Where a term is found. */
export interface Found {
  /** The term, or a key that stands for several. */
  readonly term: string;
  /** The parts of a name: a document holds all of them, each by any of its terms. */
  readonly parts?: readonly (readonly string[])[];
  readonly postings: Postings;
  /** How many of these documents the person may see; at least one. */
  readonly documents: number;
}

export type Way = Found & WeighedPostings;

/** Terms that count as a word of the query, and where they are found. */
export interface Expansion {
  readonly reading: Reading;
  /** What this reading is worth, compared with the word as typed. */
  readonly worth: number;
  readonly terms: readonly string[];
  readonly ways: readonly Way[];
}

/** A word that was meant, and where it is found. */
interface CorrectedWord {
  readonly to: string;
  readonly expansion: Expansion;
}

type Weigh = (terms: readonly string[], worth: number, visibility: Visibility) => readonly Way[];

/**
 * What a rare or unknown word may stand for: a compound of two words, or a misspelled word. Only documents that the
 * person can see count for it, so an answer never tells whether a word stands in others. The vocabulary proposes words
 * of these documents alone.
 */
export class RareWords {
  constructor(
    private readonly vocabulary: VocabularyLookup,
    private readonly weigh: Weigh,
  ) {}

  /**
   * The two words that a compound is made of; empty where it is none.
   *
   * @param held how many documents hold the compound.
   */
  partsOf({ word }: QueryWord, held: number, visibility: Visibility): readonly Expansion[] {
    const expand = (part: string): Expansion => this.expandPart(part, partWorth(held), visibility);
    const counted = new Map<string, number>();
    const documentsWith = (part: string): number => {
      const documents = counted.get(part) ?? this.documents(expand(part).ways, visibility);
      counted.set(part, documents);
      return documents;
    };
    const split = likeliestSplit(this.openSplits(compoundSplits(word), visibility), documentsWith);
    return split === null ? [] : [split.head, split.tail].map(expand);
  }

  /** The pairs of words, each of them held, that it may be where documents write it apart. */
  apart({ word }: QueryWord, visibility: Visibility): readonly CompoundSplit[] {
    return this.openSplits(apartSplits(word), visibility).slice(0, mostReadApart);
  }

  /**
   * The splits whose words documents of the person hold. The first question is which of the words exist at all, which
   * costs less.
   */
  private openSplits(splits: readonly CompoundSplit[], visibility: Visibility): readonly CompoundSplit[] {
    const known = this.vocabulary.known(partsIn(splits));
    const possible = splits.filter(({ head, tail }) => known.has(head) && known.has(tail));
    const open = this.vocabulary.open(partsIn(possible), visibility);
    return possible.filter(({ head, tail }) => open.has(head) && open.has(tail));
  }

  /** What a word may be a misspelling of that no visible document holds; else, of which words it may be a part. */
  corrections(word: QueryWord, { asWhole, asPart }: Correctable, visibility: Visibility): readonly CorrectedWord[] {
    const corrected = asWhole ? this.convincing(word, this.vocabulary.near(word.word, visibility), 1, visibility) : [];
    if (corrected.length > 0 || !asPart) return corrected;
    return this.convincing(word, this.vocabulary.nearParts(word.word, visibility), compoundWordWorth, visibility);
  }

  private convincing(
    { terms: typed }: QueryWord,
    near: readonly NearWord[],
    share: number,
    visibility: Visibility,
  ): readonly CorrectedWord[] {
    const counted = near.map((candidate) => ({
      ...candidate,
      documents: this.documents(this.expand(candidate.word, visibility, { typed }).ways, visibility),
    }));
    return convincingCorrections(counted).map(({ word: to, worth }) => ({
      to,
      expansion: this.expand(to, visibility, { worth: worth * share, typed }),
    }));
  }

  private expandPart(part: string, worth: number, visibility: Visibility): Expansion {
    const terms = partTerms(part);
    return { reading: "compound_part", worth, terms, ways: this.weigh(terms, worth, visibility) };
  }

  private expand(
    word: string,
    visibility: Visibility,
    { worth = 1, typed = [] }: { readonly worth?: number; readonly typed?: readonly string[] } = {},
  ): Expansion {
    const terms = termsOf(word).filter((term) => !typed.includes(term));
    return { reading: "correction", worth, terms, ways: this.weigh(terms, worth, visibility) };
  }

  private documents(ways: readonly Way[], visibility: Visibility): number {
    return visibility.countAny(
      ways.map(({ postings }) => postings),
      countedDocuments,
    );
  }
}

const partsIn = (splits: readonly CompoundSplit[]): readonly string[] => [
  ...new Set(splits.flatMap(({ head, tail }) => [head, tail])),
];
