import type { SqliteDatabase } from "../../sqlite/database.js";

export interface CounterValues {
  /** The next document's row. */
  nextRow: number;
  nextRemoval: number;
  /** Removals before this one are no longer listed. */
  oldestRemoval: number;
  /** Grows whenever a datasource or its subs changed. */
  definitions: number;
}

/** The statement that reads all counters. By them a reader learns that something changed. */
export const prepareReadCounters = (database: SqliteDatabase) =>
  database.prepare<[], CounterValues>(
    "SELECT next_row AS nextRow, next_removal AS nextRemoval, oldest_removal AS oldestRemoval, definitions FROM counters",
  );

/** The counters inside a write transaction: loaded at its start, saved at its end. */
export class Counters {
  values: CounterValues = { nextRow: 1, nextRemoval: 1, oldestRemoval: 1, definitions: 0 };
  private readonly read;
  private readonly write;

  constructor(database: SqliteDatabase) {
    this.read = prepareReadCounters(database);
    // Addressed by its key. SQLite could take back a part of an update of many rows, and for that FTS5 writes out what
    // it holds in memory.
    this.write = database.prepare(
      "UPDATE counters SET next_row = ?, next_removal = ?, oldest_removal = ?, definitions = ? WHERE only = 0",
    );
  }

  load(): void {
    const values = this.read.get();
    if (values === undefined)
      throw new Error(
        "The search index has lost its counters. Stop the service, delete search.sqlite and start again: it is rebuilt from the log.",
      );
    this.values = values;
  }

  save(): void {
    const { nextRow, nextRemoval, oldestRemoval, definitions } = this.values;
    this.write.run(nextRow, nextRemoval, oldestRemoval, definitions);
  }
}
