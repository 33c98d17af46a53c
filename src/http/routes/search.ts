import { isPastSearch } from "../../validation/pastSearchParameters.js";
import { checkMetadataParameters } from "../../validation/parameters.js";
import {
  checkSearchParameters,
  modifiedWindows,
  searchFileTypes,
  searchLimits,
} from "../../validation/searchParameters.js";
import { ok } from "../../shared/result.js";
import { personOf } from "../apiContext.js";
import { checked, valueOf } from "../envelopes.js";
import { toMetadataAnswer, toSearchAnswer } from "../representations.js";
import { route, type ParameterDescription } from "../route.js";
import { notYetConsistent, schemaOf } from "./descriptions.js";
import { pastSearchParameters, searchPast } from "./pastSearch.js";

const card = {
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

const inQuery = (name: string, description: string, schema: object, required = false): ParameterDescription => ({
  name,
  in: "query",
  description,
  required,
  schema,
});
const commaList = (values: object): object => ({
  type: "array",
  items: values,
  maxItems: searchLimits.mostFilterValues,
});

const searchParameters: readonly ParameterDescription[] = [
  inQuery(
    "query",
    'Words, of which any may match; `"…"` demands a phrase, `-word` forbids a word.',
    { type: "string", minLength: 1, maxLength: searchLimits.longestQuery },
    true,
  ),
  inQuery("count", "Results per page.", {
    type: "integer",
    minimum: 1,
    maximum: searchLimits.mostCount,
    default: searchLimits.defaultCount,
  }),
  inQuery("start_page", "Page, from 0.", { type: "integer", minimum: 0, maximum: searchLimits.lastPage, default: 0 }),
  inQuery(
    "data_source",
    "Comma list: `confluence`, `jira`, `gitlab`, `sharepoint_online`, `outlook`, `windowsshares`, `other`, a datasource's name, `{datasource}__{sub}` or `{datasource}__{sub}__{child}`.",
    commaList({ type: "string" }),
  ),
  inQuery("file_type", "Comma list.", commaList({ type: "string", enum: searchFileTypes })),
  inQuery(
    "last_modified",
    `One of ${[...modifiedWindows.keys()].join(", ")} (windows back from now), or \`<start>_<end>\` (inclusive), each side \`YYYY-MM-DDThh:mm:ss.sssZ\`.`,
    { type: "string" },
  ),
  ...pastSearchParameters,
];

const tag = "Search";
const access = "apiKey";

const search = route({
  method: "GET",
  path: "/api/beta/search",
  access,
  // Who may ask about the past is decided before what is asked is looked at.
  query: { parameters: searchParameters, check: (query) => ok(query) },
  isConsistent: true,
  async handle(context, { query }) {
    if (isPastSearch(query)) return searchPast(context, query);
    const parameters = checked(checkSearchParameters(query, new Date()));
    const asked = { ...parameters, person: personOf(context), atLeast: context.state.atLeast };
    context.body = toSearchAnswer(valueOf(await context.services.queries.search(asked)), parameters);
  },
  description: {
    tag,
    summary: "Search as the key's person",
    description:
      "Finds only what this person may see. With `as_of` or `as_user`, which take a key with the role `auditor`: what a person could see at a moment. It is found, ranked and quoted by the titles and texts of today, so an auditor reads of documents that are not their own; the answer says so in `note`.",
    success: {
      description: "One page of results, best first.",
      schema: schemaOf("SearchAnswer"),
      example: {
        results: [{ ...card, snippet: "Send <mark>receipts</mark> within a month.", score: 7.2 }],
        total: 1,
        total_relation: "eq",
        count: 10,
        start_page: 0,
      },
    },
    failures: { 403: "The key was not made for the role that `as_of` and `as_user` take.", 503: notYetConsistent },
  },
});

const findDocument = route({
  method: "GET",
  path: "/api/beta/document/metadata",
  access,
  query: {
    parameters: [
      inQuery("document_id", "The `id` of a search result, percent-encoded.", { type: "string", minLength: 1 }, true),
      inQuery("include_text_content", "true adds `text_content`.", { type: "boolean", default: false }),
    ],
    check: checkMetadataParameters,
  },
  isConsistent: true,
  async handle(context, { query: { documentId, includeTextContent } }) {
    const asked = {
      id: documentId,
      includeText: includeTextContent,
      person: personOf(context),
      atLeast: context.state.atLeast,
    };
    const { details, text } = valueOf(await context.services.queries.findDocument(asked));
    context.body = toMetadataAnswer(details, text);
  },
  description: {
    tag,
    summary: "Read a document's metadata",
    success: {
      description: "The document.",
      schema: schemaOf("DocumentMetadataAnswer"),
      example: {
        ...card,
        mime_type: "text/markdown",
        size: 29,
        custom_properties: [{ name: "owner", value: "Ada" }],
        indexed_at: "2024-05-01T09:31:00.000Z",
      },
    },
    failures: { 404: "No such document, or none that this person may see.", 503: notYetConsistent },
  },
});

/** The query API (spec: Full-text search, Document metadata). */
export const searchRoutes = [search, findDocument];
