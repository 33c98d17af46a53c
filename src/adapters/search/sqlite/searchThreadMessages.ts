import type { SearchPage, Suggestion } from "../../../readModels/search.js";
import type { DocumentsOfDatasource } from "./slotSet.js";
import type { PostingsOptions } from "./postings.js";
import type { SearchBudgetOptions } from "./searchBudget.js";
import type { SearchRequest, SuggestRequest } from "../../../../queries/ports.js";

export interface SearchThreadData extends PostingsOptions, SearchBudgetOptions {
  readonly file: string;
}

/** What a search thread answers, by the name of its handler: question and answer. */
export interface SearchThreadQuestions {
  readonly search: readonly [FullTextQuestion, SearchPage];
  readonly suggest: readonly [SuggestQuestion, readonly Suggestion[]];
}

/** A question as somebody. */
export type AskedBy<Question> = Question & {
  /** The person's tokens, joined by blanks; null where the thread should know them by their key. */
  readonly tokens: string | null;
};

/** `unknownKey`: ask again with the tokens. */
export type SearchThreadAnswer<Answer> = Answer | "unknownKey";

/** A question to the thread that answers questions about the past. */
export interface PastSearchQuestion extends RankingQuestion {
  readonly among: readonly DocumentsOfDatasource[];
}

/** What is asked for, whoever asks. */
export type RankingQuestion = Omit<SearchRequest, "held" | "askedBy">;

export interface FullTextQuestion extends RankingQuestion {
  /** The key of tokens that `FullTextSearch.classes` has learnt. */
  readonly heldKey: string;
}

export interface SuggestQuestion extends Omit<SuggestRequest, "held" | "askedBy"> {
  /** The key of tokens that `FullTextSearch.classes` has learnt. */
  readonly heldKey: string;
}
