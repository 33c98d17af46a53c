import type { QueryMeaning } from "../../../../queries/ports.js";
import type { Language } from "../../../shared/texts.js";
import type { FacetsAsked, SearchFilters, SearchOrder } from "../../../readModels/search.js";

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
