import type { Language } from "../../src/shared/texts.js";
import { toldOf } from "../../src/analysis/analyseQuery.js";
import { excessOf } from "../../src/analysis/queryBounds.js";
import {
  type FacetsAsked,
  type SearchFileType,
  type SearchOrder,
  type SearchPage,
  type SearchHit,
  plainSnippet,
  type Suggestion,
  type DatasourceFilter,
} from "../../src/readModels/search.js";
import type { Email } from "../../src/shared/ids.js";
import { ReadModelUnavailable } from "../../src/shared/failures.js";
import { failed, ok, type Result } from "../../src/shared/result.js";
import { waitUntilProjected } from "../consistency.js";
import type { Readers, Reranker, SearchRequest } from "../ports.js";
import type { Consistency, QueryResult, QueryFailure } from "../queryResult.js";
import type { Datasource } from "../../src/events/datasource.js";

export interface Search extends Consistency {
  readonly person: Email;
  readonly query: string;
  readonly count: number;
  readonly startPage: number;
  /** Raw values of the filter; null: not given. */
  readonly datasources: readonly string[] | null;
  readonly fileTypes: readonly SearchFileType[] | null;
  /** Epoch milliseconds. */
  readonly modifiedFrom: number | null;
  readonly modifiedTo: number | null;
  /** The reader's; left out: the query's own, where that can be told. */
  readonly language?: Language;
  /** Left out: by relevance. A reranker has no part in another order. */
  readonly sort?: SearchOrder;
  /** Left out: no counts. */
  readonly facets?: FacetsAsked;
  /** Left out: no explanations. */
  readonly explain?: true;
}

/**
 * Full-text search as a person: the index serves nothing that shares no token with what the person holds. Documents of
 * a datasource whose group closure cannot be trusted are not found, because nobody holds its tokens.
 *
 * @throws ReadModelUnavailable where nothing was found because there was no time to read.
 */
export async function search(
  { search: index, access, catalogue, embedder, reranker, ...limits }: Readers,
  { person, atLeast, datasources, fileTypes, modifiedFrom, modifiedTo, ...asked }: Search,
): QueryResult<SearchPage> {
  const excess = excessOf(asked.query);
  if (excess !== null) return failed({ type: "QueryTooLarge", ...excess });
  const consistent = await waitUntilProjected(atLeast, [index, access, catalogue], limits);
  if (!consistent.ok) return consistent;
  const resolved = datasources === null ? ok(null) : resolveDatasourceFilters(datasources, await catalogue.list());
  if (!resolved.ok) return resolved;
  const isByDate = asked.sort === "last_modified";
  const meant = isByDate ? null : embedder?.meaningOf(asked.query);
  const [held, meaning] = await Promise.all([access.heldTokens(person), meant]);
  const filters = { datasources: resolved.value, fileTypes, modifiedFrom, modifiedTo };
  const request = { ...asked, held, askedBy: person, filters, ...(meaning && { meaning }) };
  const page =
    reranker === undefined || isByDate
      ? await index.search(request)
      : await rerankedPage((one) => index.search(one), request, reranker);
  // An empty page would say that there is nothing.
  if (page.isUnread === true) throw new ReadModelUnavailable("There was no time to read what the search asks for.");
  return ok({ ...page, ...toldOf(asked.query) });
}

/** So many of the first hits are ordered anew. */
const reordered = 50;

/**
 * The page that is asked for, of a ranking whose first 50 hits are in the order of the reranker, and the further ones
 * in the index's. These are the same 50 for every page. Where there is no order to be had, that of the index holds.
 */
export async function rerankedPage(
  searchOf: (request: SearchRequest) => Promise<SearchPage>,
  request: SearchRequest,
  reranker: Reranker,
): Promise<SearchPage> {
  const { query, count, startPage } = request;
  const offset = count * startPage;
  if (offset >= reordered) return searchOf(request);
  const whole = { ...request, count: Math.max(reordered, offset + count), startPage: 0, passages: true } as const;
  const page = await searchOf(whole);
  const hits = page.hits.map(withoutPassage);
  const first = hits.slice(0, reordered);
  const order = first.length < 2 ? null : await reranker.order(query, page.hits.slice(0, reordered).map(textOf));
  const ranked =
    order === null ? hits : [...order.flatMap((at, place) => placedAt(place, at, first[at])), ...hits.slice(reordered)];
  return { ...page, hits: ranked.slice(offset, offset + count) };
}

/** A hit where the reranker has put it; it says so where it says why it is there. */
function placedAt(place: number, before: number, hit: SearchHit | undefined): readonly SearchHit[] {
  if (hit?.explanation === undefined) return hit === undefined ? [] : [hit];
  return [{ ...hit, explanation: { ...hit.explanation, reranked: { before: before + 1, after: place + 1 } } }];
}

/** What says most of a hit, as far as a reranker reads. */
const textOf = ({ title, snippet, passage }: SearchHit): string => `${title}\n${passage ?? plainSnippet(snippet)}`;

const withoutPassage = ({ passage: _passage, ...hit }: SearchHit): SearchHit => hit;

export interface Suggest extends Consistency {
  readonly person: Email;
  /** What was typed so far. */
  readonly query: string;
  readonly count: number;
}

/**
 * Completes what a person types, from titles and words of the documents that a search of theirs would find: the index
 * tells of nothing that shares no token with what the person holds.
 */
export async function suggest(
  { search: index, access, ...limits }: Readers,
  { person, query, count, atLeast }: Suggest,
): QueryResult<readonly Suggestion[]> {
  const consistent = await waitUntilProjected(atLeast, [index, access], limits);
  if (!consistent.ok) return consistent;
  return ok(await index.suggest({ query, held: await access.heldTokens(person), askedBy: person, count }));
}

/** The spec's names for kinds of sources; `other` is every datasource that is not named like one of them. */
const wellKnown: ReadonlySet<string> = new Set([
  "confluence",
  "jira",
  "gitlab",
  "sharepoint_online",
  "outlook",
  "windowsshares",
]);

type UnknownFilter = Extract<QueryFailure, { readonly type: "UnknownDatasourceFilter" }>;

/**
 * Resolves values of the `data_source` filter: one of the spec's seven, the name of a datasource, or a compound
 * `{datasource}__{sub}` or `{datasource}__{sub}__{child}`. Whether there is such a datasource or sub makes no
 * difference, so that nobody learns names by asking: what there is none of finds nothing. The first value that can be
 * no name fails.
 */
export function resolveDatasourceFilters(
  values: readonly string[],
  datasources: readonly Pick<Datasource, "name">[],
): Result<readonly DatasourceFilter[], UnknownFilter> {
  const filters: DatasourceFilter[] = [];
  for (const value of new Set(values)) {
    const resolved = value === "other" ? datasources.filter(isOther).map(({ name }) => whole(name)) : named(value);
    if (resolved === null) return failed({ type: "UnknownDatasourceFilter", value });
    filters.push(...resolved);
  }
  return ok(distinct(filters));
}

/** Names and keys (spec: Naming rules); none holds a double underscore. */
const longestSlug = 64;

const slug = /^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*$/;

/** null: it can be no name. */
function named(value: string): readonly DatasourceFilter[] | null {
  const parts = value.split("__");
  if (parts.length > 3 || !parts.every((part) => part.length <= longestSlug && slug.test(part))) return null;
  const [datasource = "", sub = null, childSub = null] = parts;
  return [{ datasource, sub, childSub }];
}

const isOther = ({ name }: Pick<Datasource, "name">): boolean => !wellKnown.has(name);
const whole = (datasource: string): DatasourceFilter => ({ datasource, sub: null, childSub: null });

function distinct(filters: readonly DatasourceFilter[]): readonly DatasourceFilter[] {
  const byText = new Map(
    filters.map((filter) => [[filter.datasource, filter.sub, filter.childSub].join("__"), filter]),
  );
  return [...byText.values()];
}
