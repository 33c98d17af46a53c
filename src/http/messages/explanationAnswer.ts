import type { Bonus, Reading, ScoredPart } from "../../readModels/explanation.js";
import type { SearchedField } from "../../shared/searchedFields.js";

/** A field that holds a word. */
export interface ExplainedFieldAnswer {
  field: SearchedField;
  /** What an occurrence there counts. */
  weight: number;
}

/** One way in which a document holds a word of the query. */
export interface ExplainedMatchAnswer {
  /**
   * `as_typed`, in any form of the word; `completion`: a word that begins with it; `compound`: a word that it is a part
   * of; `name_parts`: all parts of a name; `compound_part`: one of the two words that it is made of; `apart`: the two
   * words that it is made of, both; `joined`: words that follow each other, written as one; `correction`: a word that it
   * may be a misspelling of.
   */
  reading: Reading;
  /** Up to three forms, as the document writes them; none where they stand further on than was looked. */
  written: string[];
  /** Where they stand; of a long document's text, in the passage that says most. */
  fields: ExplainedFieldAnswer[];
  /** How often, each as its field weighs it. */
  occurrences: number;
  /** What this reading is worth, compared with the word as typed. */
  weight: number;
  /** How much the word tells: the fewer of the documents that the person may see hold it, the more. */
  rarity: number;
  /** What of that counts, by occurrences and length (BM25): at most 2.2. */
  share: number;
  /** `weight` times `rarity` times `share`. */
  score: number;
}

/** A word of the query, and what it adds. */
export interface ExplainedWordAnswer {
  /** As it was typed. */
  word: string;
  /** That of its best match; 0 where the document does not hold it. */
  score: number;
  /** The best first, three at most. */
  matches: ExplainedMatchAnswer[];
}

/** What adds to a score besides words. */
export interface ExplainedBonusAnswer {
  /**
   * `title_begins`: the title begins with the query; `title_is`: it is the query; `name_together`: the parts of a name
   * stand together; `exact`: words stand there exactly as typed; `in_order`: words follow each other as in the query;
   * `near`: words stand within a sentence. The last three count for the first twenty documents alone.
   */
  bonus: Bonus;
  score: number;
}

/** Where two rankings put the document, from 1; null: not among those that were fused. */
export interface ExplainedFusionAnswer {
  by_words: number | null;
  by_meaning: number | null;
  /** The sum of 1 / (59 + place). Results are ordered by it; where it is equal, by `score`. */
  worth: number;
}

/** Where the document stood, and where the model has put it, from 1. */
export interface ExplainedRerankAnswer {
  before: number;
  after: number;
}

/**
 * Why a result is where it is, told by what scored it: `score` is `language_factor` times the sum of what words and
 * bonuses add, but for rounding, unless `scored` is `place`.
 */
export interface ExplanationAnswer {
  /** The result's. */
  score: number;
  /**
   * What was scored: the `document` as a whole; of a long one its best `passage`; nothing, because it keeps its `place`
   * behind those that were scored; nothing, because it was found by its `meaning` alone.
   */
  scored: ScoredPart;
  /** Where the passage stands in `text_content`, in UTF-16 units. Only where one was scored. */
  passage?: { start: number; end: number };
  /** Below 1 where the document is in another language than the reader's. */
  language_factor: number;
  words: ExplainedWordAnswer[];
  bonuses: ExplainedBonusAnswer[];
  /** Only where documents were found by their meaning, too. */
  fusion?: ExplainedFusionAnswer;
  /** Only where a model has ordered the first results. */
  reranked?: ExplainedRerankAnswer;
}
