import { createValidate, json, type tags } from "typia";
import { tooShort } from "../../http/validation/issue.js";
import type { MaxCharacters } from "../../http/validation/maxCharacters.js";
import { answerMessage, bodyMessage, listOf } from "../../http/validation/message.js";
import { isBlank } from "../../shared/whiteSpace.js";

/** Body of the searches that chat programs send to an engine of their operator's choice. */
export interface ExternalSearchMessage {
  query: string & tags.MinLength<1> & MaxCharacters<4096>;
  /** Results, at most. Default: 5. */
  count?: number & tags.Type<"uint32"> & tags.Minimum<1> & tags.Maximum<100>;
}

export const externalSearchMessage = bodyMessage(
  json.schema<ExternalSearchMessage>(),
  createValidate<ExternalSearchMessage>(),
  ({ query }) => (isBlank(query) ? [tooShort(["body", "query"], 1)] : []),
);

/** What was found: a page or a document. */
export interface ExternalSearchResult {
  link: string;
  title: string;
  snippet: string;
}

/** Answer of those searches: the best first. */
export const externalSearchAnswer = listOf(answerMessage(json.schema<ExternalSearchResult>()));
