import { personOf } from "../apiContext.js";
import { valueOf } from "../envelopes.js";
import { suggestAnswer, suggestQuestion, type SuggestAnswer } from "../messages/suggest.js";
import { route } from "../route.js";
import { notYetConsistent } from "./descriptions.js";

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
