import type { Language } from "../../src/shared/language.js";
import { toldOf } from "../../src/analysis/analyseQuery.js";
import { excessOf } from "../../src/analysis/queryBounds.js";
import type { FacetsAsked } from "../../src/readModels/facets.js";
import type { SearchFileType, SearchOrder, SearchPage } from "../../src/readModels/search.js";
import type { Email } from "../../src/shared/ids.js";
import { ReadModelUnavailable } from "../../src/shared/readModelUnavailable.js";
import { failed, ok } from "../../src/shared/result.js";
import { waitUntilProjected } from "../consistency.js";
import type { Readers } from "../ports.js";
import type { Consistency, QueryResult } from "../queryResult.js";
import { resolveDatasourceFilters } from "./datasourceFilters.js";
import { rerankedPage } from "./rerankedPage.js";

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
