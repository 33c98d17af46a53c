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
 * Resolves values of the `data_source` filter: one of the spec's seven, the name of a registered datasource, or a
 * compound `{datasource}__{sub}` or `{datasource}__{sub}__{child}` of declared subs. The first value that is none of
 * these fails.
 */
export function resolveDatasourceFilters(
  values: readonly string[],
  datasources: readonly Datasource[],
): Result<readonly DatasourceFilter[], UnknownFilter> {
  const filters: DatasourceFilter[] = [];
  for (const value of new Set(values)) {
    const resolved =
      value === "other" ? datasources.filter(isOther).map(({ name }) => whole(name)) : resolveOne(value, datasources);
    if (resolved === null) return failed({ type: "UnknownDatasourceFilter", value });
    filters.push(...resolved);
  }
  return ok(distinct(filters));
}

function resolveOne(value: string, datasources: readonly Datasource[]): readonly DatasourceFilter[] | null {
  const [name = "", sub, childSub, ...rest] = value.split("__");
  const datasource = datasources.find((known) => known.name === name);
  if (sub === undefined) return datasource !== undefined || wellKnown.has(name) ? [whole(name)] : null;
  const declared = datasource?.subs.find(({ key }) => key === sub);
  if (declared === undefined || rest.length > 0) return null;
  if (childSub === undefined) return [{ datasource: name, sub, childSub: null }];
  return declared.subs.some(({ key }) => key === childSub) ? [{ datasource: name, sub, childSub }] : null;
}

const isOther = ({ name }: Datasource): boolean => !wellKnown.has(name);
const whole = (datasource: string): DatasourceFilter => ({ datasource, sub: null, childSub: null });

function distinct(filters: readonly DatasourceFilter[]): readonly DatasourceFilter[] {
  const byText = new Map(
    filters.map((filter) => [[filter.datasource, filter.sub, filter.childSub].join("__"), filter]),
  );
  return [...byText.values()];
}
