import { json } from "typia";
import { personOf } from "../http/apiContext.js";
import { valueOf } from "../http/envelopes.js";
import { route } from "../http/route.js";
import { notYetConsistent } from "../http/pathParameters.js";
import { ok } from "../shared/result.js";
import { answerMessage } from "../http/validation/message.js";
import { searchLimits } from "./searchParameters.js";
import { integer, queryOf, present, boundedText } from "../http/validation/parameters.js";

const suggestQuestion = queryOf(
  {
    query: present(
      boundedText(
        "What was typed so far. The last word is completed where nothing follows it, not even a blank. What is empty, holds no word, or more than 16, has no suggestions.",
        searchLimits.longestQuery,
      ),
    ),
    count: integer("How many suggestions at most.", { minimum: 1, maximum: 20, default: 8 }),
  },
  ok,
);

/** What a search that is being typed may become. */
interface SuggestionAnswer {
  text: string;
  /** `title`: of a document; `word`: what was typed, its last word completed. */
  kind: "title" | "word";
  /** The document of that title, as in search results; null for a word. */
  id: string | null;
}

/** Answer of `GET /api/beta/suggest`. */
interface SuggestAnswer {
  suggestions: SuggestionAnswer[];
}

const suggestAnswer = answerMessage(json.schema<SuggestAnswer>());

const suggest = route({
  method: "GET",
  path: "/api/beta/suggest",
  access: "apiKey",
  query: suggestQuestion,
  isConsistent: true,
  async handle(context, { query }) {
    const asked = { ...query, person: personOf(context), atLeast: context.state.atLeast };
    const suggestions = valueOf(await context.services.queries.suggest(asked));
    context.body = { suggestions: [...suggestions] } satisfies SuggestAnswer;
  },
  description: {
    tag: "Search",
    summary: "Complete a search while it is typed",
    description:
      "From titles and words of documents that the key's person may see, and of nothing else. Titles come first: those that begin with what was typed, then those that hold all of its words, the last one as a beginning; the newer document first, and a title that several documents have once. Then what was typed, with its last word completed as documents write it: by words of documents that hold the words before it, those of most documents first. Half of the places are kept for words. Case, accents, umlauts and `ae`, `oe`, `ue` for them make no difference.",
    success: {
      description: "The suggestions, best first.",
      schema: suggestAnswer,
      example: {
        suggestions: [
          { text: "Travel expenses", kind: "title", id: "handbook__travel-2024.md" },
          { text: "travelling", kind: "word", id: null },
        ],
      },
    },
    failures: { 503: notYetConsistent },
  },
});

/** Suggestions while somebody types. */
export const suggestRoutes = [suggest];
