import { json } from "typia";
import { failed, ok } from "../../shared/result.js";
import type { QueryParameters } from "../route.js";
import { isLongerThan } from "../validation/characters.js";
import { inQuery } from "../validation/inQuery.js";
import { missing, tooLong, type Issue } from "../validation/issue.js";
import { answerMessage, type Checked } from "../validation/message.js";
import { checkInteger } from "../validation/parameters.js";
import type { QueryString } from "../validation/queryString.js";
import { searchLimits } from "./search.js";

interface SuggestParameters {
  readonly query: string;
  readonly count: number;
}

const limits = { defaultCount: 8, mostCount: 20 } as const;

function checkSuggestParameters(parameters: QueryString): Checked<SuggestParameters> {
  const issues: Issue[] = [];
  const loc = ["query", "query"];
  const query = parameters.get("query")?.at(-1);
  if (query === undefined) issues.push(missing(loc));
  else if (isLongerThan(query, searchLimits.longestQuery)) issues.push(tooLong(loc, searchLimits.longestQuery));
  const count = checkInteger(
    parameters,
    "count",
    { minimum: 1, maximum: limits.mostCount, otherwise: limits.defaultCount },
    issues,
  );
  return issues.length > 0 ? failed(issues) : ok({ query: query ?? "", count });
}

/** The parameters of `GET /api/beta/suggest`. */
export const suggestQuestion: QueryParameters<SuggestParameters> = {
  parameters: [
    inQuery(
      "query",
      "What was typed so far. The last word is completed where nothing follows it, not even a blank. What is empty, holds no word, or more than 16, has no suggestions.",
      { type: "string", maxLength: searchLimits.longestQuery },
      true,
    ),
    inQuery("count", "How many suggestions at most.", {
      type: "integer",
      minimum: 1,
      maximum: limits.mostCount,
      default: limits.defaultCount,
    }),
  ],
  check: checkSuggestParameters,
};

/** What a search that is being typed may become. */
export interface SuggestionAnswer {
  text: string;
  /** `title`: of a document; `word`: what was typed, its last word completed. */
  kind: "title" | "word";
  /** The document of that title, as in search results; null for a word. */
  id: string | null;
}

/** Answer of `GET /api/beta/suggest`. */
export interface SuggestAnswer {
  suggestions: SuggestionAnswer[];
}

export const suggestAnswer = answerMessage(json.schema<SuggestAnswer>());
