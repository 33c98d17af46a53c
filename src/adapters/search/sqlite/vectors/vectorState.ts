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

/** Further is not counted: it would take the time of point reads. */
const mostCounted = 100_000;

/** Counts documents whose vectors are still to be made. */
export class VectorCounts {
  private readonly state;
  private readonly after;

  constructor(database: SqliteDatabase) {
    this.state = prepareReadVectorState(database);
    this.after = database
      .prepare<[number], number>(
        `SELECT count(*) FROM (SELECT 1 FROM documents WHERE row > ? ORDER BY row LIMIT ${mostCounted})`,
      )
      .pluck();
  }

  /** The number of documents that this model has yet to be shown. */
  without(model: string): number {
    const state = this.state.get();
    return this.after.get(state?.model === model ? state.upToRow : 0) ?? 0;
  }
}
