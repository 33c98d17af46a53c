import { ok } from "../../src/shared/result.js";
import type { CheckAccessReaders } from "../access/checkAccess.js";
import { waitUntil } from "../consistency.js";
import { resolveDatasourceFilters } from "./datasourceFilters.js";
import type { Queries } from "../queries.js";

/**
 * Full-text search as a person: the person's tokens go along, and the index serves nothing that shares none with them.
 * Documents of a datasource whose group closure cannot be trusted are not found: its tokens are held by nobody.
 */
export function createSearch({
  search,
  access,
  catalogue,
  consistencyTimeoutMs,
}: CheckAccessReaders): Queries["search"] {
  return async ({ person, query, count, startPage, atLeast, datasources, fileTypes, modifiedFrom, modifiedTo }) => {
    const consistent = await waitUntil(atLeast, [search, access, catalogue], consistencyTimeoutMs);
    if (!consistent.ok) return consistent;
    const resolved = datasources === null ? ok(null) : resolveDatasourceFilters(datasources, await catalogue.list());
    if (!resolved.ok) return resolved;
    const held = await access.heldTokens(person);
    const filters = { datasources: resolved.value, fileTypes, modifiedFrom, modifiedTo };
    return ok(await search.search({ query, held, filters, count, startPage }));
  };
}
