import type { Datasource, DatasourceUpdated, SubAdded, SubRemoved } from "../../src/events/datasource.js";
import type { DatasourceId } from "../../src/shared/ids.js";

/** What one event changes in the catalogue. */
export type CatalogueChange =
  | { readonly kind: "registered"; readonly datasource: Datasource }
  | { readonly kind: "amended"; readonly amendment: DatasourceUpdated | SubAdded | SubRemoved }
  /** The datasource was deleted, or cannot be trusted because an event of it is parked. */
  | { readonly kind: "withdrawn"; readonly datasourceId: DatasourceId };
