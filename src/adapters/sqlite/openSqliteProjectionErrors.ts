import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import type { ProjectionErrors } from "../../../projections/ports.js";
import { projectionErrorKey, type RecordedProjectionError } from "../../readModels/projectionStatus.js";
import { openForWriting, type Schema } from "./database.js";
import { remadeWhereDamaged, type OnSetAside } from "./setAside.js";

const schema: Schema = {
  name: "troubles",
  version: 1,
  statements: "CREATE TABLE IF NOT EXISTS troubles (key TEXT PRIMARY KEY, trouble TEXT NOT NULL) WITHOUT ROWID;",
};

/** Readers do not wait for writers. */
const busyTimeoutMs = 250;

/**
 * A file that the processes of one machine share. It is created with the first error and opened for each use, which is
 * rare. One that is damaged is made anew: what it told is in the program's log.
 */
export const openSqliteProjectionErrors = ({
  file,
  onSetAside,
}: {
  readonly file: string;
  readonly onSetAside?: OnSetAside;
}): ProjectionErrors => ({
  record: async (projectionError) => remadeWhereDamaged(file, () => record(file, projectionError), onSetAside),
  list: async () => remadeWhereDamaged(file, () => list(file), onSetAside),
  close: () => undefined,
});

function record(file: string, projectionError: RecordedProjectionError): void {
  const database = openForWriting({ file, schema, durability: "rebuildable" });
  try {
    database
      .prepare("INSERT OR REPLACE INTO troubles VALUES (?, ?)")
      .run(projectionErrorKey(projectionError), JSON.stringify(projectionError));
  } finally {
    database.close();
  }
}

function list(file: string): readonly RecordedProjectionError[] {
  if (!existsSync(file)) return [];
  const database = new Database(file, { readonly: true, timeout: busyTimeoutMs });
  try {
    const rows = database.prepare<[], string>("SELECT trouble FROM troubles").pluck().all();
    return rows.map((json) => JSON.parse(json) as RecordedProjectionError);
  } finally {
    database.close();
  }
}
