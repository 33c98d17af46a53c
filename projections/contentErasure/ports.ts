import type { DatasourceId } from "../../src/shared/ids.js";
import type { Position } from "../../src/shared/position.js";
import type { ProjectionBatch } from "../ports.js";

/** What one transaction of the reaction's memory holds. */
export interface ErasureBatch extends Omit<ProjectionBatch<never>, "changes"> {
  readonly closed: readonly DatasourceId[];
}

/** Remembers how far the reaction has come, and which incarnations are gone. */
export interface ErasureStore {
  checkpoint(): Promise<Position>;
  isClosed(datasourceId: DatasourceId): Promise<boolean>;
  /** One transaction with the checkpoint; `checkpointConflict` as for `ProjectionWriter`. */
  write(batch: ErasureBatch): Promise<"applied" | "checkpointConflict">;
}
