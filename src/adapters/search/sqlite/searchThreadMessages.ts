import type { SearchPage } from "../../../readModels/search.js";
import type { FullTextQuestion, RankingQuestion } from "./fullTextSearch.js";
import type { DocumentsOfDatasource } from "./namedDocumentSlots.js";
import type { PostingsOptions } from "./postings.js";
import type { SearchBudgetOptions } from "./searchBudget.js";

export interface SearchThreadData extends PostingsOptions, SearchBudgetOptions {
  readonly file: string;
}

export interface SearchThreadQuestion extends FullTextQuestion {
  /** The person's tokens, joined by blanks; null where the thread should know them by their key. */
  readonly tokens: string | null;
}

/** `unknownKey`: ask again with the tokens. */
export type SearchThreadAnswer = SearchPage | "unknownKey";

/** A question to the thread that answers questions about the past. */
export interface PastSearchQuestion extends RankingQuestion {
  readonly among: readonly DocumentsOfDatasource[];
}
