import type { SqliteDatabase } from "../../../sqlite/database.js";

/** Which vectors the file holds. */
export interface VectorState {
  readonly model: string;
  /** 0: there are none yet. */
  readonly dimensions: number;
  /** Documents up to this row have theirs. */
  readonly upToRow: number;
  /** Grows whenever all vectors were thrown away. */
  readonly epoch: number;
}

/** The statement that reads it. */
export const prepareReadVectorState = (database: SqliteDatabase) =>
  database.prepare<[], VectorState>(
    "SELECT model, dimensions, up_to_row AS upToRow, epoch FROM vector_state WHERE only = 0",
  );
