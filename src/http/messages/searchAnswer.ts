import { json } from "typia";
import { answerMessage } from "../validation/message.js";
import type { HitSummaryAnswer } from "./hitSummaryAnswer.js";

/** One search result. */
export interface SearchResultAnswer extends HitSummaryAnswer {
  /** The best passage: matches in `<mark>`, everything else escaped for HTML. */
  snippet: string;
  /** Comparable within one answer alone. */
  score: number;
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
