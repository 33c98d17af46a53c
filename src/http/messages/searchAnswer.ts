import { json, type tags } from "typia";
import { answerMessage } from "../validation/message.js";
import type { ExplanationAnswer } from "./explanationAnswer.js";
import type { HitSummaryAnswer } from "./hitSummaryAnswer.js";

/** One search result. */
export interface SearchResultAnswer extends HitSummaryAnswer {
  /** The best passage: matches in `<mark>`, everything else escaped for HTML. */
  snippet: string;
  /** Comparable within one answer alone. Where a model orders the first hits, the order is not that of the scores. */
  score: number;
  /** With `explain` alone. */
  explanation?: ExplanationAnswer;
}

/** How many documents have a value. */
export interface FacetCountAnswer {
  /** What the filter of the same field takes. */
  value: string;
  count: number;
}

/** What the results are counted by: what was asked for with `facets`. */
export interface FacetsAnswer {
  /** `eq`: all that match are counted; `gte`: that would have cost too much, and there are at least so many. */
  relation: "eq" | "gte";
  file_type?: FacetCountAnswer[];
  datasource?: FacetCountAnswer[];
  author?: FacetCountAnswer[];
  /** All windows, the shortest first; a longer one holds the shorter ones. */
  last_modified?: FacetCountAnswer[];
}

/** A word of the query, and a word that it was taken for. */
export interface CorrectionAnswer {
  /** As it was typed. */
  from: string;
  /** As a result writes it; in lower case and without accents where no result of this page holds it. */
  to: string;
}

/** Answer of `GET /api/beta/search`. */
export interface SearchAnswer {
  results: SearchResultAnswer[];
  total: number;
  /** `eq`: `total` is exact; `gte`: there are at least so many. */
  total_relation: "eq" | "gte";
  /** Only where the search would have cost too much: the answer holds what was found until then; `total_relation` is `gte`. */
  partial?: true;
  count: number;
  start_page: number;
  /**
   * Only where words were corrected, each with up to three words that it was taken for. A word is corrected only where no
   * document that the person may see holds it or a word that contains it; quotes insist on it.
   */
  corrected?: CorrectionAnswer[];
  /** Only where the query excludes something: what no result holds, as it was typed, without the minus. */
  excluded?: string[];
  /** Only where the query has more than 64 telling words: how many of them were not looked for, because they tell least. */
  words_left_out?: number & tags.Type<"uint32">;
  /** With `facets` alone. */
  facets?: FacetsAnswer;
  /** With `as_of` or `as_user` alone: ISO instant as of when this was visible; null: before the first event. */
  as_of?: string | null;
  /** With `as_of` or `as_user` alone: position of the last event that counts. */
  as_of_position?: string;
  /** With `as_of` or `as_user` alone: to whom it was visible. */
  as_user?: string;
  /** With `as_of` or `as_user` alone: what such an answer can say, and what it cannot. */
  note?: string;
}

export const searchAnswer = answerMessage(json.schema<SearchAnswer>());
