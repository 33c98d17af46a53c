import type { FacetsAsked, SearchFilters, SearchOrder, SearchPage, Suggestion } from "../../../readModels/search.js";
import type { DocumentsOfDatasource } from "./namedDocumentSlots.js";
import type { PostingsOptions } from "./postings.js";
import type { SearchBudgetOptions } from "./searchBudget.js";
import type { QueryMeaning } from "../../../../queries/ports.js";
import type { Language } from "../../../shared/texts.js";

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

export interface RankingQuestion {
  readonly query: string;
  readonly filters: SearchFilters;
  /** The reader's; left out: the query's own. */
  readonly language?: Language;
  readonly count: number;
  readonly startPage: number;
  /** Left out: by relevance. */
  readonly sort?: SearchOrder;
  readonly facets?: FacetsAsked;
  /** Left out: hits do not say why they are where they are. */
  readonly explain?: true;
  /** Left out: hits come without their passages. */
  readonly passages?: true;
  readonly meaning?: QueryMeaning;
}

export interface FullTextQuestion extends RankingQuestion {
  /** The key of tokens that `FullTextSearch.classes` has learnt. */
  readonly heldKey: string;
}

export interface SuggestQuestion {
  readonly query: string;
  readonly count: number;
  /** The key of tokens that `FullTextSearch.classes` has learnt. */
  readonly heldKey: string;
}
