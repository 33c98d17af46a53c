import { match } from "ts-pattern";
import type { FacetField } from "./facets.js";
import type { SearchFilters } from "./search.js";

/** The filters that count for a field: all but its own. */
export const withoutOwnFilter = (field: FacetField, filters: SearchFilters): SearchFilters =>
  match(field)
    .with("file_type", () => ({ ...filters, fileTypes: null }))
    .with("datasource", () => ({ ...filters, datasources: null }))
    .with("last_modified", () => ({ ...filters, modifiedFrom: null, modifiedTo: null }))
    .with("author", () => filters)
    .exhaustive();
