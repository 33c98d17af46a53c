import { isPastSearch } from "../../validation/pastSearchParameters.js";
import { checkMetadataParameters } from "../../validation/parameters.js";
import {
  checkSearchParameters,
  modifiedWindows,
  searchFileTypes,
  searchLimits,
} from "../../validation/searchParameters.js";
import { success, type Answer } from "../answer.js";
import type { ApiRequest } from "../apiRequest.js";
import { checked, valueOf } from "../envelopes.js";
import { toMetadataAnswer, toSearchAnswer } from "../representations.js";
import type { DescribedRoute, ParameterDescription, RouteServices } from "../route.js";
import { consistencyHeader, notYetConsistent, schemaOf } from "./descriptions.js";
import { pastSearchParameters, searchPast } from "./pastSearch.js";

async function search(request: ApiRequest, services: RouteServices): Promise<Answer> {
  if (isPastSearch(request.query)) return searchPast(request, services);
  const parameters = checked(checkSearchParameters(request.query, new Date()));
  const page = valueOf(
    await services.queries.search({ ...parameters, person: request.person, atLeast: request.atLeast }),
  );
  return success(toSearchAnswer(page, parameters));
}

async function findDocument(request: ApiRequest, { queries }: RouteServices): Promise<Answer> {
  const { documentId, includeTextContent } = checked(checkMetadataParameters(request.query));
  const question = {
    id: documentId,
    includeText: includeTextContent,
    person: request.person,
    atLeast: request.atLeast,
  };
  const { details, text } = valueOf(await queries.findDocument(question));
  return success(toMetadataAnswer(details, text));
}

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
  consistencyHeader,
];

const tag = "Search";
const access = "apiKey";

/** The query API (spec: Full-text search, Document metadata). */
export const searchRoutes: readonly DescribedRoute[] = [
  {
    method: "GET",
    path: "/api/beta/search",
    access,
    handle: search,
    description: {
      tag,
      summary: "Search as the key's person",
      description:
        "Finds only what this person may see. With `as_of` or `as_user`, which take a key with the role `auditor`: what a person could see at a moment. It is found, ranked and quoted by the titles and texts of today, so an auditor reads of documents that are not their own; the answer says so in `note`.",
      parameters: searchParameters,
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
  },
  {
    method: "GET",
    path: "/api/beta/document/metadata",
    access,
    handle: findDocument,
    description: {
      tag,
      summary: "Read a document's metadata",
      parameters: [
        inQuery("document_id", "The `id` of a search result, percent-encoded.", { type: "string", minLength: 1 }, true),
        inQuery("include_text_content", "true adds `text_content`.", { type: "boolean", default: false }),
        consistencyHeader,
      ],
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
  },
];
