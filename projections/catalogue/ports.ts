import type { Datasource, DatasourceUpdated, SubAdded, SubRemoved } from "../../src/events/datasource.js";
import type { DatasourceId } from "../../src/shared/ids.js";
import type { Position } from "../../src/shared/position.js";
import type { ProjectionBatch } from "../ports.js";

/** What one transaction of the catalogue holds. A datasource is in at most one of the two lists. */
export interface CatalogueBatch extends Omit<ProjectionBatch<never>, "changes"> {
  readonly datasources: readonly Datasource[];
  readonly withdrawn: readonly DatasourceId[];
}

/** The engine that holds the catalogue. */
export interface CatalogueStore {
  checkpoint(): Promise<Position>;
  /** null where it holds no such incarnation. */
  find(datasourceId: DatasourceId): Promise<Datasource | null>;
  /** One transaction with the checkpoint; `checkpointConflict` as for `ProjectionWriter`. */
  write(batch: CatalogueBatch): Promise<"applied" | "checkpointConflict">;
}

/** What one event changes in the catalogue. */
export type CatalogueChange =
  | { readonly kind: "registered"; readonly datasource: Datasource }
  | { readonly kind: "amended"; readonly amendment: DatasourceUpdated | SubAdded | SubRemoved }
  /** The datasource was deleted, or cannot be trusted because an event of it is parked. */
  | { readonly kind: "withdrawn"; readonly datasourceId: DatasourceId };
