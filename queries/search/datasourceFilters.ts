import type { Datasource } from "../../src/events/datasource.js";
import type { DatasourceFilter } from "../../src/readModels/search.js";
import { failed, ok, type Result } from "../../src/shared/result.js";
import type { QueryFailure } from "../queryResult.js";

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
