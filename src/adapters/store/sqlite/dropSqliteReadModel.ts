import { setImmediate as nextTurn } from "node:timers/promises";
import { openForWriting } from "../../sqlite/database.js";
import { readModelFile } from "./readModelSchema.js";

/** How many rows go in one transaction: others write to the same file meanwhile. */
const rowsPerStep = 2_000;

const tables = {
  groupClosure: ["closure_people", "closure_groups", "closure_epochs", "closure_datasources"],
  catalogue: ["catalogue"],
  credentials: ["credentials", "credential_roles", "accounts", "account_roles", "sign_ins", "sessions"],
} as const;

/** A read model that shares a file with others. */
export type EmptiedReadModel = keyof typeof tables;

/**
 * Empties one read model of a file that holds others as well, in steps. Its space is used again, and its checkpoint
 * stays. For a version that nobody serves or projects any more.
 */
export async function dropSqliteReadModel({
  file,
  readModel,
}: {
  readonly file: string;
  readonly readModel: EmptiedReadModel;
}): Promise<void> {
  const database = openForWriting(readModelFile(file));
  try {
    for (const table of tables[readModel]) {
      const keys =
        database
          .prepare<[], string>(`SELECT group_concat(name, ', ') FROM pragma_table_info('${table}') WHERE pk > 0`)
          .pluck()
          .get() ?? "rowid";
      const remove = database.prepare(
        `DELETE FROM ${table} WHERE (${keys}) IN (SELECT ${keys} FROM ${table} LIMIT ${rowsPerStep})`,
      );
      while (remove.run().changes > 0) await nextTurn();
    }
  } finally {
    database.close();
  }
}
