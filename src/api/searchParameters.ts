import type { Search } from "../../queries/queries.js";
import { searchFileTypes, searchOrders, facetFields, type FacetsAsked, type FacetField } from "../readModels/search.js";
import { epochMilliseconds } from "../shared/instant.js";
import { languages, isBlank } from "../shared/texts.js";
import { ok } from "../shared/result.js";
import { isLongerThan } from "../http/validation/characters.js";
import { tooLong, valueError } from "../http/validation/issue.js";
import type { Checked } from "../http/validation/message.js";
import type { Moment } from "../audit/auditQueries.js";
import type { Email } from "../shared/ids.js";
import { moment, user } from "../audit/messages/auditParameters.js";
import {
  type Given,
  required,
  textParameter,
  wordList,
  emptyAsLeftOut,
  orElse,
  choice,
  flag,
  type QueryString,
  valuesOf,
  type ValuesOf,
  type QueryParameters,
  queryOf,
  integer,
} from "../http/validation/parameters.js";

/** The parameters of `GET /api/beta/search`, checked; times resolved against the clock. */
export type SearchParameters = Omit<Search, "person" | "atLeast">;

const dayMs = 86_400_000;
/** Windows back from now, in days. They end a day ahead: clocks differ, and so do time zones that nobody wrote down. */
const modifiedWindows: ReadonlyMap<string, number> = new Map([
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

interface Window {
  readonly from: number | null;
  readonly to: number | null;
}

/** Windows that end now are known when the search is asked. */
type WindowAsked = (now: Date) => Window;

const open: WindowAsked = () => ({ from: null, to: null });
const rangeForm = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;

const windowOf = (days: number, now: Date): { readonly from: number; readonly to: number } => ({
  from: now.getTime() - days * dayMs,
  to: now.getTime() + dayMs,
});

/** A word for a window that ends now, or `<start>_<end>`; inclusive on both sides. */
function readWindow(text: string, given: Given): WindowAsked {
  const days = modifiedWindows.get(text);
  if (days !== undefined) return (now) => windowOf(days, now);
  const [from = null, to = null] = rangeForm.exec(text)?.slice(1).map(epochMilliseconds) ?? [];
  if (from === null || to === null) given.refuseValue((loc) => valueError(loc, wrongWindow));
  else if (from > to) given.refuseValue((loc) => valueError(loc, "the start must not be after the end"));
  return () => ({ from, to });
}

const wrongWindow = `last_modified must be one of ${[...modifiedWindows.keys()].join(", ")}, or <start>_<end> with existing times in the form YYYY-MM-DDThh:mm:ss.sssZ`;

function readQuery(query: string, given: Given): string {
  if (isBlank(query)) given.refuse((loc) => valueError(loc, "the query must hold more than white space"));
  else if (isLongerThan(query, searchLimits.longestQuery))
    given.refuse((loc) => tooLong(loc, searchLimits.longestQuery));
  return query;
}

/** How the file type of a search follows from a document (`projections/search/searchFileType.ts`). */
const fileTypeMapping =
  "Comma list. Of documents with the `file_type` `file` or `asset` it follows from `body.mime_type`: pdf, word, powerpoint, excel, html, txt, compressed, image, email, onenote, else other. Else from `file_type`: markdown is txt; webpage is html; page and content are page; blog and timeline are news; email and email_parent are email; issue and issue_parent are issue; wiki and wiki_parent are wiki; message is message; directory is directory; merge_request and merge_request_parent are other. No document has the types task and comment yet.";

/** The parameters of a search about now. */
const searchParameters = {
  query: required(
    textParameter(
      'Words, of which any may match; `"…"` demands a phrase, `-word` and `-"…"` forbid one. Of more than 64 different words those that tell most are looked for, and the answer says in `words_left_out` how many were not; of more than 16 phrases none is demanded, as in a pasted text of several lines; more than 64 words in a phrase and more than 16 exclusions are 422. Searched are titles (a word counts there as two in the text), texts, properties whose definition says `is_searchable`, the author, the names in `path`, folders included, and the last segment of the address in `path_preview`. A title that is the query comes first, then titles that begin with it.',
      readQuery,
      { type: "string", minLength: 1, maxLength: searchLimits.longestQuery },
    ),
  ),
  count: integer("Results per page.", {
    minimum: 1,
    maximum: searchLimits.mostCount,
    default: searchLimits.defaultCount,
  }),
  start_page: integer("Page, from 0.", { minimum: 0, maximum: searchLimits.lastPage, default: 0 }),
  data_source: wordList<string>(
    "Comma list: `confluence`, `jira`, `gitlab`, `sharepoint_online`, `outlook`, `windowsshares`, `other`, a datasource's name, `{datasource}__{sub}` or `{datasource}__{sub}__{child}`. `other` is every datasource that is not named like one of the six before it. A name finds nothing where there is no such datasource, or none whose documents the person may see.",
    null,
  ),
  file_type: wordList(fileTypeMapping, searchFileTypes),
  last_modified: emptyAsLeftOut(
    orElse(
      textParameter(
        `One of ${[...modifiedWindows.keys()].join(", ")} (windows back from now), or \`<start>_<end>\` (inclusive), each side \`YYYY-MM-DDThh:mm:ss.sssZ\`.`,
        readWindow,
      ),
      open,
    ),
  ),
  language: emptyAsLeftOut(
    choice(
      "The reader's language: of equal matches documents in it come first. It is no filter: what matches better in the other language still comes before, and documents whose language is not recognised lose nothing. Left out: the language that the personal key was made with, else that of the query, where it has three words or more and its language is plain.",
      languages,
    ),
  ),
  sort: emptyAsLeftOut(
    choice(
      "`relevance`: best first. `last_modified`: the last modified first, documents without a time last; `score` says of each what it would have had by relevance, roughly.",
      searchOrders,
    ),
  ),
  facets: wordList(
    "Comma list of what to count the results by; `facets` of the answer then says how many of all documents that match, and that the person may see, have which value, those of most documents first. The counts of a value ignore the filter on its own field, so that they say what else there would be, and follow all others. At most 100 datasources and 20 authors are told; `last_modified` is counted by its words, which overlap.",
    facetFields,
  ),
  explain: flag(
    "true: each result says in `explanation` why it is where it is: as what the words of the query were read, which fields of the document hold them, and what each adds to `score`. It is told by what scored the result, of that document alone and of what the person may see.",
  ),
};

/** Checks the parameters of a search. Where a scalar is repeated the last one counts; repeated lists are one list. */
export function checkSearchParameters(parameters: QueryString, now: Date): Checked<SearchParameters> {
  const given = valuesOf(searchParameters, parameters);
  return given.ok ? ok(toSearchParameters(given.value, now)) : given;
}

function toSearchParameters(given: ValuesOf<typeof searchParameters>, now: Date): SearchParameters {
  const window = given.last_modified(now);
  return {
    query: given.query,
    count: given.count,
    startPage: given.start_page,
    datasources: given.data_source,
    fileTypes: given.file_type,
    modifiedFrom: window.from,
    modifiedTo: window.to,
    ...(given.language && { language: given.language }),
    ...(given.sort && { sort: given.sort }),
    ...(given.facets && { facets: facetsAsked(given.facets, now) }),
    ...(given.explain && { explain: true }),
  };
}

const facetsAsked = (fields: readonly FacetField[], now: Date): FacetsAsked => ({
  fields: facetFields.filter((field) => fields.includes(field)),
  windows: [...modifiedWindows].map(([word, days]) => ({ word, ...windowOf(days, now) })),
});

/** The parameters of a search as of a moment, checked. */
interface PastSearchParameters {
  readonly search: SearchParameters;
  readonly at: Moment;
  /** The person as whom to search; null: the key's person. */
  readonly user: Email | null;
}

/** Whether a search asks about the past, or about somebody else: that takes a role. */
export const isPastSearch = (parameters: QueryString): boolean => parameters.has("as_of") || parameters.has("as_user");

const pastSearchParameters = {
  ...searchParameters,
  as_of: moment(
    "For a key with the role `auditor`: an ISO 8601 time, a consistency token or the position of an event. Finds what the person could see then, by today's titles and texts.",
  ),
  as_user: user(
    "For a key with the role `auditor`: the login email of the person to search as, as of `as_of`, or now. Left out: the key's person.",
  ),
};

/** The role for questions about the past is checked before the question is. */
export const searchQuery: QueryParameters<QueryString> = { ...queryOf(pastSearchParameters, ok), check: ok };

/** Checks the parameters of `GET /api/beta/search` where it {@link isPastSearch}. */
export function checkPastSearchParameters(parameters: QueryString, now: Date): Checked<PastSearchParameters> {
  const given = valuesOf(pastSearchParameters, parameters);
  if (!given.ok) return given;
  const { as_of: at, as_user: asUser } = given.value;
  return ok({ search: toSearchParameters(given.value, now), at, user: asUser });
}
