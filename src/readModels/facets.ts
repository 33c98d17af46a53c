/** What results can be counted by, in the API's words. */
export const facetFields = ["file_type", "datasource", "author", "last_modified"] as const;
export type FacetField = (typeof facetFields)[number];

/** A window of time with its word in the API. Epoch milliseconds, inclusive. */
export interface ModifiedWindow {
  readonly word: string;
  readonly from: number;
  readonly to: number;
}

/** The counts that a search is asked for beside its results. */
export interface FacetsAsked {
  readonly fields: readonly FacetField[];
  /** What `last_modified` is counted by. They may overlap. */
  readonly windows: readonly ModifiedWindow[];
}

/** How many documents have this value. */
export interface FacetCount {
  readonly value: string;
  readonly count: number;
}

/**
 * How many of the documents that match, and that the person may see, have which value. A filter on the same field does
 * not count, so that one sees what else there would be; all other filters do.
 */
export interface SearchFacets {
  /** `gte`: it would have cost too much to count them all. */
  readonly relation: "eq" | "gte";
  /** Of the fields that were asked for. */
  readonly counts: Readonly<Partial<Record<FacetField, readonly FacetCount[]>>>;
}

/** How many values are told at most, those of most documents. All windows of time are told, also where empty. */
const mostValues: Readonly<Record<FacetField, number>> = {
  file_type: 100,
  datasource: 100,
  author: 20,
  last_modified: Number.POSITIVE_INFINITY,
};

/** Values in the order in which they are told: those of most documents first, and among equals by their characters. */
export const mostCounted = (field: FacetField, counts: Iterable<FacetCount>): readonly FacetCount[] =>
  [...counts]
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, mostValues[field]);

/** The counts where nothing matches. */
export const noFacets = ({ fields, windows }: FacetsAsked): SearchFacets => ({
  relation: "eq",
  counts: Object.fromEntries(
    fields.map((field) => [
      field,
      field === "last_modified" ? windows.map(({ word }) => ({ value: word, count: 0 })) : [],
    ]),
  ),
});
