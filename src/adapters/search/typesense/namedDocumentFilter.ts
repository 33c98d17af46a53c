import type { SearchAmong } from "../../../audit/ports/pastSearch.js";
import { type SearchFilters, withoutOwnFilter } from "../../../readModels/search.js";
import { narrowing, servedWithin, type Visibility } from "./accessFilter.js";
import type { Directory } from "./directory.js";
import { datasourceKey, documentKey } from "./encoding.js";

/**
 * Which documents a search among named ones may show: those whose datasource is served and within the filters. Only
 * auditors ask so. Words weigh what they weigh in all documents, because a filter of megabytes for each word would take
 * seconds.
 */
export function visibilityAmong(
  { among, filters }: Pick<SearchAmong, "among" | "filters">,
  directory: Directory,
): Visibility {
  const idsWithin = (narrowed: SearchFilters): ReadonlySet<string> => {
    const served = servedWithin(directory, narrowed.datasources);
    const named = among.filter(({ datasourceId }) => served.has(datasourceKey(datasourceId)));
    return new Set(
      named.flatMap(({ datasourceId, documentIds }) => documentIds.map((id) => documentKey(datasourceId, id))),
    );
  };
  const filterFor = (narrowed: SearchFilters, within: ReadonlySet<string>): string | null =>
    within.size === 0
      ? null
      : [`id:=[${[...within].join(",")}]`, ...narrowing(narrowed, servedWithin(directory, narrowed.datasources))].join(
          " && ",
        );
  const ids = idsWithin(filters);
  return {
    population: { key: "all documents", filter: null, byClass: null },
    stamp: directory.stamp,
    filter: filterFor(filters, ids),
    byClass: null,
    countedBy: (field) => {
      const narrowed = withoutOwnFilter(field, filters);
      return filterFor(narrowed, idsWithin(narrowed));
    },
    shows: (_accessClass, datasource, id) => ids.has(id) && directory.datasources.get(datasource)?.status === "served",
  };
}
