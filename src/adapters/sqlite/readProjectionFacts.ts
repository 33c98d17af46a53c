import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { beginning, toPosition, type Position } from "../../shared/position.js";

/** How far a projection has come in an engine, and how much of it is parked there. */
export interface ProjectionFacts {
  readonly position: Position;
  readonly parked: number;
}

const busyTimeoutMs = 1_000;
const nothing: ProjectionFacts = { position: beginning, parked: 0 };

/** Looks into a file of read models (`checkpointTables`) without creating it: the beginning where there is none yet. */
export function readProjectionFacts({
  file,
  projection,
}: {
  readonly file: string;
  readonly projection: string;
}): ProjectionFacts {
  if (!existsSync(file)) return nothing;
  const database = new Database(file, { readonly: true, timeout: busyTimeoutMs });
  try {
    if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'parked_events'").get() === undefined)
      return nothing;
    const position = database
      .prepare<[string], bigint>("SELECT position FROM checkpoints WHERE projection = ?")
      .pluck()
      .safeIntegers()
      .get(projection);
    const parked = database
      .prepare<[string], number>("SELECT count(*) FROM parked_events WHERE projection = ?")
      .pluck()
      .get(projection);
    return { position: position === undefined ? beginning : toPosition(position), parked: parked ?? 0 };
  } finally {
    database.close();
  }
}
