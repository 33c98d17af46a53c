import { Readable } from "node:stream";
import type { TextPart } from "../readModels/search.js";
import type { FindTextPart } from "../../queries/queries.js";
import { isPastSearch, checkPastSearchParameters, checkSearchParameters, searchQuery } from "./searchParameters.js";
import {
  type ExplanationAnswer,
  documentMetadataQuestion,
  documentMetadataAnswer,
  searchAnswer,
  toMetadataAnswer,
  toSearchAnswer,
} from "./searchAnswer.js";
import { personOf, searcherOf, type ApiContext } from "../http/apiContext.js";
import { checked, valueOf } from "../http/envelopes.js";
import { route } from "../http/route.js";
import { jsonWithText } from "../http/streamedAnswers.js";
import { notYetConsistent } from "../http/pathParameters.js";
import type { QueryString } from "../http/validation/parameters.js";
import { recordQuestion } from "../audit/routes/recordQuestion.js";
import { requireRoles } from "../http/authentication.js";

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
  query: searchQuery,
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

/** A search as of a moment, or as somebody else: for auditors. */
async function searchPast(context: ApiContext, query: QueryString): Promise<void> {
  requireRoles(context, ["auditor"], "Searching as somebody else, or as of a moment,");
  const { search: asked, at, user } = checked(checkPastSearchParameters(query, new Date()));
  const searcher = searcherOf(context);
  const person = user ?? searcher.person;
  const {
    at: time,
    position,
    ...page
  } = valueOf(
    await context.services.audit.search({ ...searcher, ...asked, person, at, atLeast: context.state.atLeast }),
  );
  const answered = { question: "search", about: { user: person }, asOf: position } as const;
  await recordQuestion(context, answered, asked.startPage > 0);
  const note = `What ${person} could see ${time === null ? "at the beginning" : `as of ${time}`}, found by today's titles and texts: what was deleted since is missing, and what has changed since is shown as it is now.`;
  context.body = { ...toSearchAnswer(page, asked), as_of: time, as_of_position: position, as_user: person, note };
}
