import type { ParameterDescription } from "../route.js";
import { searchFileTypes, searchOrders, type SearchFileType, type SearchOrder } from "../../readModels/search.js";
import { facetFields, type FacetsAsked } from "../../readModels/facets.js";
import { epochMilliseconds } from "../../shared/instant.js";
import { languages, type Language } from "../../shared/language.js";
import { failed, ok } from "../../shared/result.js";
import { isBlank } from "../../shared/whiteSpace.js";
import { isLongerThan } from "../validation/characters.js";
import { echo, missing, notInEnum, tooLong, tooMany, tooShort, valueError, type Issue } from "../validation/issue.js";
import type { Checked } from "../validation/message.js";
import { checkInteger, flagIn } from "../validation/parameters.js";
import { inQuery } from "../validation/inQuery.js";
import type { QueryString } from "../validation/queryString.js";

/** The parameters of `GET /api/beta/search`, checked; times resolved against the clock. */
export interface SearchParameters {
  readonly query: string;
  readonly count: number;
  readonly startPage: number;
  readonly datasources: readonly string[] | null;
  readonly fileTypes: readonly SearchFileType[] | null;
  readonly modifiedFrom: number | null;
  readonly modifiedTo: number | null;
  /** The reader's; left out where it was not named. */
  readonly language?: Language;
  /** Left out where it is by relevance. */
  readonly sort?: SearchOrder;
  /** Left out where no counts are asked for. */
  readonly facets?: FacetsAsked;
  /** Left out where no explanations are asked for. */
  readonly explain?: true;
}

const dayMs = 86_400_000;
/** Windows back from now, in days. They end a day ahead: clocks differ, and so do time zones that nobody wrote down. */
export const modifiedWindows: ReadonlyMap<string, number> = new Map([
  ["threeday", 3],
  ["week", 7],
  ["month", 30],
  ["threemonth", 90],
  ["year", 365],
  ["fiveyear", 1_825],
]);

export const searchLimits = {
  /** A stack trace of some hundred lines. */
  longestQuery: 16_384,
  defaultCount: 10,
  mostCount: 100,
  lastPage: 1_000_000,
  mostFilterValues: 100,
} as const;

/** Checks the parameters of a search. Where a scalar is repeated the last one counts; repeated lists are one list. */
export function checkSearchParameters(parameters: QueryString, now: Date): Checked<SearchParameters> {
  const issues: Issue[] = [];
  const query = checkQuery(parameters.get("query")?.at(-1), issues);
  const count = checkInteger(
    parameters,
    "count",
    { minimum: 1, maximum: searchLimits.mostCount, otherwise: searchLimits.defaultCount },
    issues,
  );
  const startPage = checkInteger(
    parameters,
    "start_page",
    { minimum: 0, maximum: searchLimits.lastPage, otherwise: 0 },
    issues,
  );
  const datasources = listOf(parameters, "data_source", issues);
  const fileTypes = listOf(parameters, "file_type", issues);
  if (fileTypes !== null && !areFileTypes(fileTypes)) issues.push(notInEnum(["query", "file_type"], searchFileTypes));
  const window = checkWindow(parameters.get("last_modified")?.at(-1), now, issues);
  const language = checkLanguage(parameters.get("language")?.at(-1), issues);
  const sort = checkSort(parameters.get("sort")?.at(-1), issues);
  const facets = checkFacets(parameters, now, issues);
  const explain = flagIn(parameters, "explain", issues);
  if (issues.length > 0) return failed(issues);
  return ok({
    query,
    count,
    startPage,
    datasources,
    fileTypes: fileTypes as SearchFileType[] | null,
    modifiedFrom: window.from,
    modifiedTo: window.to,
    ...(language && { language }),
    ...(sort && { sort }),
    ...(facets && { facets }),
    ...(explain && { explain }),
  });
}

function checkQuery(query: string | undefined, issues: Issue[]): string {
  const loc = ["query", "query"];
  if (query === undefined) issues.push(missing(loc));
  else if (query === "") issues.push(tooShort(loc, 1));
  else if (isBlank(query)) issues.push(valueError(loc, "the query must hold more than white space"));
  else if (isLongerThan(query, searchLimits.longestQuery)) issues.push(tooLong(loc, searchLimits.longestQuery));
  return query ?? "";
}

/** A comma list; null where nothing was given. */
function listOf(parameters: QueryString, name: string, issues: Issue[]): readonly string[] | null {
  const values = (parameters.get(name) ?? [])
    .flatMap((text) => text.split(","))
    .map((value) => value.trim())
    .filter((value) => value !== "");
  const distinct = [...new Set(values)];
  if (distinct.length > searchLimits.mostFilterValues)
    issues.push(tooMany(["query", name], searchLimits.mostFilterValues));
  return distinct.length === 0 ? null : distinct;
}

const areFileTypes = (values: readonly string[]): boolean =>
  values.every((value) => (searchFileTypes as readonly string[]).includes(value));

/** null where none is named. */
function checkLanguage(text: string | undefined, issues: Issue[]): Language | null {
  if (text === undefined || text === "") return null;
  const language = languages.find((known) => known === text);
  if (language === undefined) issues.push(notInEnum(["query", "language"], languages));
  return language ?? null;
}

/** null where it is left out. */
function checkSort(text: string | undefined, issues: Issue[]): SearchOrder | null {
  if (text === undefined || text === "") return null;
  const sort = searchOrders.find((known) => known === text);
  if (sort === undefined) issues.push(notInEnum(["query", "sort"], searchOrders));
  return sort ?? null;
}

/** null where none are asked for. */
function checkFacets(parameters: QueryString, now: Date, issues: Issue[]): FacetsAsked | null {
  const values = listOf(parameters, "facets", issues);
  if (values === null) return null;
  const fields = facetFields.filter((field) => values.includes(field));
  if (fields.length < values.length) issues.push(notInEnum(["query", "facets"], facetFields));
  return { fields, windows: [...modifiedWindows].map(([word, days]) => ({ word, ...windowOf(days, now) })) };
}

interface Window {
  readonly from: number | null;
  readonly to: number | null;
}

const open: Window = { from: null, to: null };
const rangeForm = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;

const windowOf = (days: number, now: Date): { readonly from: number; readonly to: number } => ({
  from: now.getTime() - days * dayMs,
  to: now.getTime() + dayMs,
});

/** A word for a window that ends now, or `<start>_<end>`; inclusive on both sides. */
function checkWindow(text: string | undefined, now: Date, issues: Issue[]): Window {
  if (text === undefined || text === "") return open;
  const days = modifiedWindows.get(text);
  if (days !== undefined) return windowOf(days, now);
  const loc = ["query", "last_modified"];
  const [from = null, to = null] = rangeForm.exec(text)?.slice(1).map(epochMilliseconds) ?? [];
  if (from === null || to === null) {
    const words = [...modifiedWindows.keys()].join(", ");
    issues.push({
      ...valueError(
        loc,
        `last_modified must be one of ${words}, or <start>_<end> with existing times in the form YYYY-MM-DDThh:mm:ss.sssZ`,
      ),
      ...echo(text),
    });
    return open;
  }
  if (from > to) issues.push({ ...valueError(loc, "the start must not be after the end"), ...echo(text) });
  return { from, to };
}

const commaList = (values: object): object => ({
  type: "array",
  items: values,
  maxItems: searchLimits.mostFilterValues,
});

/** How the file type of a search follows from a document (`projections/search/searchFileType.ts`). */
const fileTypeMapping =
  "Comma list. Of documents with the `file_type` `file` or `asset` it follows from `body.mime_type`: pdf, word, powerpoint, excel, html, txt, compressed, image, email, onenote, else other. Else from `file_type`: markdown is txt; webpage is html; page and content are page; blog and timeline are news; email and email_parent are email; issue and issue_parent are issue; wiki and wiki_parent are wiki; message is message; directory is directory; merge_request and merge_request_parent are other. No document has the types task and comment yet.";

/** The parameters of a search about now. */
export const searchParameters: readonly ParameterDescription[] = [
  inQuery(
    "query",
    'Words, of which any may match; `"…"` demands a phrase, `-word` and `-"…"` forbid one. At most 64 different words, 16 phrases (of 64 words each) and 16 exclusions; a query with more is 422, for nothing is left out in silence. Searched are titles (a word counts there as two in the text), texts, properties whose definition says `is_searchable`, the author, and the last segment of `path` and of the address in `path_preview`. A title that is the query comes first, then titles that begin with it.',
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
    "Comma list: `confluence`, `jira`, `gitlab`, `sharepoint_online`, `outlook`, `windowsshares`, `other`, a datasource's name, `{datasource}__{sub}` or `{datasource}__{sub}__{child}`. `other` is every datasource that is not named like one of the six before it. A name finds nothing where there is no such datasource, or none whose documents the person may see.",
    commaList({ type: "string" }),
  ),
  inQuery("file_type", fileTypeMapping, commaList({ type: "string", enum: searchFileTypes })),
  inQuery(
    "last_modified",
    `One of ${[...modifiedWindows.keys()].join(", ")} (windows back from now), or \`<start>_<end>\` (inclusive), each side \`YYYY-MM-DDThh:mm:ss.sssZ\`.`,
    { type: "string" },
  ),
  inQuery(
    "language",
    "The reader's language: of equal matches documents in it come first. It is no filter: what matches better in the other language still comes before, and documents whose language is not recognised lose nothing. Left out: the language that the personal key was made with, else that of the query, where it has three words or more and its language is plain.",
    { type: "string", enum: languages },
  ),
  inQuery(
    "sort",
    "`relevance`: best first. `last_modified`: the last modified first, documents without a time last; `score` says of each what it would have had by relevance, roughly.",
    { type: "string", enum: searchOrders, default: "relevance" },
  ),
  inQuery(
    "facets",
    "Comma list of what to count the results by; `facets` of the answer then says how many of all documents that match, and that the person may see, have which value, those of most documents first. The counts of a value ignore the filter on its own field, so that they say what else there would be, and follow all others. At most 100 datasources and 20 authors are told; `last_modified` is counted by its words, which overlap.",
    commaList({ type: "string", enum: facetFields }),
  ),
  inQuery(
    "explain",
    "true: each result says in `explanation` why it is where it is: as what the words of the query were read, which fields of the document hold them, and what each adds to `score`. It is told by what scored the result, of that document alone and of what the person may see.",
    { type: "boolean", default: false },
  ),
];
