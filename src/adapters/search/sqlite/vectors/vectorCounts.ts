import type { SqliteDatabase } from "../../../sqlite/database.js";
import { prepareReadVectorState } from "./vectorState.js";

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
