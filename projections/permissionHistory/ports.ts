import type { ProjectionBatch } from "../ports.js";
import type { Position } from "../../src/shared/position.js";
import type { PermissionHistoryChange } from "./changes.js";

/** Where the intervals are kept. */
export interface PermissionHistoryStore {
  /** `beginning` where nothing was projected yet. */
  checkpoint(): Promise<Position>;
  /**
   * Applies the changes, which are in log order, and moves the checkpoint, in one transaction. `checkpointConflict`,
   * with nothing written, where the stored checkpoint is not `after`. Throws where a change is at fault, or
   * `EngineUnavailable`. With `staysOpen` the transaction goes on with the next call, for whose changes the same holds;
   * `checkpoint` takes back what is open.
   */
  write(batch: ProjectionBatch<PermissionHistoryChange>, staysOpen: boolean): Promise<"applied" | "checkpointConflict">;
}
