import { Readable } from "node:stream";
import type { TextPart } from "../../readModels/search.js";
import type { FindTextPart } from "../../../queries/queries.js";
import { isPastSearch, pastSearchDescriptions } from "../messages/pastSearch.js";
import type { ExplanationAnswer } from "../messages/explanationAnswer.js";
import { checkSearchParameters, searchParameters } from "../messages/search.js";
import { documentMetadataQuestion } from "../messages/documentMetadata.js";
import { ok } from "../../shared/result.js";
import { personOf, searcherOf, type ApiContext } from "../apiContext.js";
import { checked, valueOf } from "../envelopes.js";
import { toMetadataAnswer, toSearchAnswer } from "../representations.js";
import { route } from "../route.js";
import { jsonWithText } from "../streamedJson.js";
import { notYetConsistent } from "./descriptions.js";
import { searchPast } from "./pastSearch.js";
import { documentMetadataAnswer } from "../messages/documentMetadata.js";
import { searchAnswer } from "../messages/searchAnswer.js";

const summary = {
  id: "handbook__travel-2024.md",
  title: "Travel expenses",
  datasource: "handbook",
  data_source_sub: "human_resources",
  data_source_sub_sub: null,
  file_type: "markdown",
  path: null,
  path_preview: "https://handbook.example.org/travel",
  author: null,
  last_modified: "2024-05-01T09:30:00Z",
};

const explanation: ExplanationAnswer = {
  score: 0.72,
  scored: "document",
  language_factor: 1,
  words: [
    {
      word: "recepits",
      score: 0.72,
      matches: [
        {
          reading: "correction",
          written: ["receipts"],
          fields: [{ field: "text", weight: 1 }],
          occurrences: 1,
          weight: 0.9,
          rarity: 0.8,
          share: 1,
          score: 0.72,
        },
      ],
    },
  ],
  bonuses: [],
};

const tag = "Search";
const access = "apiKey";

const search = route({
  method: "GET",
  path: "/api/beta/search",
  access,
  // Who may ask about the past is decided before what is asked is looked at.
  query: {
    parameters: [...searchParameters, ...pastSearchDescriptions],
    moments: ["as_of"],
    check: (query) => ok(query),
  },
  isConsistent: true,
  async handle(context, { query }) {
    if (isPastSearch(query)) return searchPast(context, query);
    const parameters = checked(checkSearchParameters(query, new Date()));
    const asked = { ...searcherOf(context), ...parameters, atLeast: context.state.atLeast };
    context.body = toSearchAnswer(valueOf(await context.services.queries.search(asked)), parameters);
  },
  description: {
    tag,
    summary: "Search as the key's person",
    description:
      "Finds only what this person may see. With `as_of` or `as_user`, which take a key with the role `auditor`: what a person could see at a moment. It is found, ranked and quoted by the titles and texts of today, so an auditor reads of documents that are not their own; the answer says so in `note`. A search that would cost too much answers in part: `partial` is then true, and `total_relation` is `gte`. A word is corrected only where no document that the person may see holds it or a word that contains it: `corrected` then says what it was taken for. Quotes insist on a word.",
    success: {
      description: "One page of results, best first.",
      schema: searchAnswer,
      example: {
        results: [{ ...summary, snippet: "Send <mark>receipts</mark> within a month.", score: 0.72, explanation }],
        total: 1,
        total_relation: "eq",
        count: 10,
        start_page: 0,
        corrected: [{ from: "recepits", to: "receipts" }],
      },
    },
    failures: { 403: "The key was not made for the role that `as_of` and `as_user` take.", 503: notYetConsistent },
  },
});

const findDocument = route({
  method: "GET",
  path: "/api/beta/document/metadata",
  access,
  query: documentMetadataQuestion,
  isConsistent: true,
  async handle(context, { query: { documentId, includeTextContent } }) {
    const asked = {
      id: documentId,
      includeText: includeTextContent,
      person: personOf(context),
      atLeast: context.state.atLeast,
    };
    const { details, text } = valueOf(await context.services.queries.findDocument(asked));
    if (text === null || text.parts === 1) {
      context.body = toMetadataAnswer(details, text?.text ?? null);
      return;
    }
    const answer = toMetadataAnswer(details, null);
    context.type = "json";
    context.body = Readable.from(jsonWithText(answer, "text_content", partsOf(context, { ...asked, details, text })), {
      highWaterMark: 1,
    });
  },
  description: {
    tag,
    summary: "Read a document's metadata",
    description:
      "A long text is sent as fast as it is taken. Where the document changes meanwhile, or may not be seen any more, the connection is cut, and the request is to be sent again.",
    success: {
      description: "The document.",
      schema: documentMetadataAnswer,
      example: {
        ...summary,
        mime_type: "text/markdown",
        size: 29,
        file: null,
        custom_properties: [{ name: "owner", value: "Ada" }],
        indexed_at: "2024-05-01T09:31:00.000Z",
      },
    },
    failures: { 404: "No such document, or none that this person may see.", 503: notYetConsistent },
  },
});

/** The parts of a text, each read when it is wanted. What is found no more ends the answer before its end. */
async function* partsOf(
  context: ApiContext,
  { text, ...asked }: Omit<FindTextPart, "part"> & { readonly text: TextPart },
): AsyncGenerator<string, void, void> {
  yield text.text;
  for (let part = 1; part < text.parts; part++)
    yield valueOf(await context.services.queries.findTextPart({ ...asked, part })).text;
}

/** The query API (spec: Full-text search, Document metadata). */
export const searchRoutes = [search, findDocument];
