import type { DatasourceId } from "../../src/shared/ids.js";
import type { Position } from "../../src/shared/position.js";
import type { ProjectionBatch, ContentKey } from "../ports.js";

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

/** What one event asks to be erased. */
export type ContentErasureChange =
  /** Replaced, deleted or erased by the event at `position`. */
  | { readonly kind: "contentSuperseded"; readonly key: ContentKey; readonly position: Position }
  /** Written by the event at `position`: to be erased only where its datasource is gone by then. */
  | {
      readonly kind: "textWritten";
      readonly datasourceId: DatasourceId;
      readonly key: ContentKey;
      readonly position: Position;
    }
  | { readonly kind: "datasourceDeleted"; readonly datasourceId: DatasourceId; readonly position: Position };
