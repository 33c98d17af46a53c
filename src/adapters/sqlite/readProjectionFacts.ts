import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import type { Checkpoint } from "../../events/landmark.js";
import { beginning, type Position } from "../../shared/position.js";
import { readCheckpoint } from "./checkpoints.js";

/** How far a projection has come in an engine, and how much of it is parked there. */
export interface ProjectionFacts {
  readonly position: Position;
  readonly parked: number;
}

const busyTimeoutMs = 1_000;
const nothing: ProjectionFacts = { position: beginning, parked: 0 };

interface Place {
  readonly file: string;
  readonly projection: string;
}

/** Looks into a file of read models (`checkpointTables`) without creating it: the beginning where there is none yet. */
export const readProjectionFacts = ({ file, projection }: Place): ProjectionFacts =>
  look(file, nothing, (database) => {
    const parked = database
      .prepare<[string], number>("SELECT count(*) FROM parked_events WHERE projection = ?")
      .pluck()
      .get(projection);
    return { position: readCheckpoint(database, projection).position, parked: parked ?? 0 };
  });

/** Looks for a checkpoint alone, in the same way. */
export const readFileCheckpoint = ({ file, projection }: Place): Checkpoint =>
  look(file, { position: beginning, landmark: null }, (database) => readCheckpoint(database, projection));

function look<Found>(file: string, nothingThere: Found, read: (database: Database.Database) => Found): Found {
  if (!existsSync(file)) return nothingThere;
  const database = new Database(file, { readonly: true, timeout: busyTimeoutMs });
  try {
    const hasTables = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'parked_events'").get() !== undefined;
    return hasTables ? read(database) : nothingThere;
  } finally {
    database.close();
  }
}
