import type { SqliteDatabase } from "../../sqlite/database.js";

/** Read models that readers hold in memory, each with a number that goes up with every change. */
export type VersionedReadModel = "catalogue" | "credentials";

/** To be called in the transaction that makes the change. */
export function advanceVersion(database: SqliteDatabase, readModel: VersionedReadModel): () => void {
  const update = database.prepare<[string]>("UPDATE versions SET version = version + 1 WHERE read_model = ?");
  return () => void update.run(readModel);
}

/** To be called within the snapshot that is about to be read. */
export function readVersion(database: SqliteDatabase, readModel: VersionedReadModel): () => number {
  const select = database.prepare<[string], number>("SELECT version FROM versions WHERE read_model = ?").pluck();
  return () => select.get(readModel) ?? 0;
}
