import type { SearchedField } from "../shared/texts.js";

/**
 * How a word of a query was read, in the API's words: as typed, in any form of it; as the beginning of a word; as a
 * part of a compound; by all parts of a name; as one of the two words that a compound is made of; as two words that
 * stand apart; together with its neighbours as one word; as a misspelling of another.
 */
const readings = [
  "as_typed",
  "completion",
  "compound",
  "name_parts",
  "compound_part",
  "apart",
  "joined",
  "correction",
] as const;

export type Reading = (typeof readings)[number];

/** A field that holds a word, and what an occurrence there counts. */
interface ExplainedField {
  readonly field: SearchedField;
  readonly weight: number;
}

/** One way in which a document holds a word of the query. */
export interface ExplainedMatch {
  readonly reading: Reading;
  /** A few forms in which the document writes it; empty where they stand beyond the examined part. */
  readonly written: readonly string[];
  /** Where it stands; of a long document's text, in the passage that says most. */
  readonly fields: readonly ExplainedField[];
  /** How often it stands there, each occurrence as its field weighs it. */
  readonly occurrences: number;
  /** What this reading is worth, compared with the word as typed. */
  readonly weight: number;
  /** How much the word tells: the fewer of the documents that the person may see hold it, the more. */
  readonly rarity: number;
  /** What of this counts, by occurrences and length (BM25): at most 2.2. */
  readonly share: number;
  /** `weight * rarity * share`. */
  readonly score: number;
}

/** A word of the query, and what it adds. */
export interface ExplainedWord {
  /** The word as typed. */
  readonly word: string;
  /** The score of its best match; 0 where the document does not hold it. */
  readonly score: number;
  /** A few matches, the best first. */
  readonly matches: readonly ExplainedMatch[];
}

/**
 * What adds to a score besides words, in the API's words: a title that begins with the query, and one that is all of
 * it; parts of a name that stand together; words exactly as typed; words that follow each other as in the query; words
 * within a sentence.
 */
const bonuses = ["title_begins", "title_is", "name_together", "exact", "in_order", "near"] as const;

export type Bonus = (typeof bonuses)[number];

export interface ExplainedBonus {
  readonly bonus: Bonus;
  readonly score: number;
}

/**
 * What was scored, in the API's words: the whole document; of a long one its best passage; nothing, because the
 * document keeps its engine's place behind those that were scored; nothing, because it holds none of the words and was
 * found by its meaning.
 */
const scoredParts = ["document", "passage", "place", "meaning"] as const;

export type ScoredPart = (typeof scoredParts)[number];

/** Places in the two rankings that were fused, from 1; null: the document is not in that one. */
export interface ExplainedFusion {
  readonly byWords: number | null;
  readonly byMeaning: number | null;
  /** What the hits are ordered by: the sum of `1 / (59 + place)`; where it is equal, by the score. */
  readonly worth: number;
}

/** Places before and after a model ordered the first hits, from 1. */
interface ExplainedRerank {
  readonly before: number;
  readonly after: number;
}

/**
 * Why a hit is where it is. What scored it tells this, for the document alone and of what its person may see: the hit's
 * score is `languageFactor` times the sum of what words and bonuses add, but for rounding.
 */
export interface Explanation {
  /** The hit's. */
  readonly score: number;
  readonly scored: ScoredPart;
  /** Where the passage stands in the text, in UTF-16 units. Only where one was scored. */
  readonly passage?: { readonly start: number; readonly end: number };
  /** Below 1 where the document is in another language than the reader's. */
  readonly languageFactor: number;
  readonly words: readonly ExplainedWord[];
  readonly bonuses: readonly ExplainedBonus[];
  /** Only where documents were found by their meaning, too. */
  readonly fusion?: ExplainedFusion;
  /** Only where a model has ordered the hit. */
  readonly reranked?: ExplainedRerank;
}
