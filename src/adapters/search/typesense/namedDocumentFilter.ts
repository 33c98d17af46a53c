import type { SearchAmong } from "../../../audit/ports/pastSearch.js";
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
  const served = servedWithin(directory, filters.datasources);
  const ids = new Set(
    among.flatMap(({ datasourceId, documentIds }) =>
      served.has(datasourceKey(datasourceId))
        ? documentIds.map((documentId) => documentKey(datasourceId, documentId))
        : [],
    ),
  );
  return {
    population: { key: "all documents", filter: null },
    stamp: directory.stamp,
    filter: ids.size === 0 ? null : [`id:=[${[...ids].join(",")}]`, ...narrowing(filters, served)].join(" && "),
    shows: (_accessClass, datasource, id) => ids.has(id) && directory.datasources.get(datasource)?.status === "served",
  };
}
