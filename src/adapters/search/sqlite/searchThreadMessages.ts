import type { SearchPage, Suggestion } from "../../../readModels/search.js";
import type { FullTextQuestion, RankingQuestion, SuggestQuestion } from "./searchQuestions.js";
import type { DocumentsOfDatasource } from "./namedDocumentSlots.js";
import type { PostingsOptions } from "./postings.js";
import type { SearchBudgetOptions } from "./searchBudget.js";

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
