import { existsSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { makePrivateFolder } from "../files/privateFolder.js";

export type SqliteDatabase = Database.Database;

export interface Schema {
  /** Says what the tables are for, in the message about a file that is too new. */
  readonly name: string;
  /** Kept in `PRAGMA user_version`. */
  readonly version: number;
  /** Idempotent statements (`CREATE TABLE IF NOT EXISTS`) of this version. */
  readonly statements: string;
  /**
   * What happens to a file of an older version: its `statements` run again (`upgrade`, the default), or it is emptied,
   * to be rebuilt from the log.
   */
  readonly whenOlder?: "upgrade" | "rebuild";
  /** Bytes of a page in a new file; SQLite's default (4,096) where it is left out. An existing file keeps its own. */
  readonly pageSize?: number;
}

export interface OpenOptions {
  readonly file: string;
  readonly schema: Schema;
  /**
   * `durable`: a commit is on disk when it returns (the log). `rebuildable`: a power cut may lose the newest commits,
   * checkpoint and effect together (the read models). better-sqlite3 falls back to NORMAL in WAL unless told otherwise.
   */
  readonly durability: "durable" | "rebuildable";
  /**
   * Called when a file of an older version was emptied, to be rebuilt. Without it such a file is left as it is: not
   * everyone who looks into a file is there to fill it again.
   */
  readonly onEmptied?: () => void;
}

const busyTimeoutMs = 30_000;
const turnMs = 5;

/**
 * Opens a database for writing, in WAL mode, with its schema, and creates it where it is missing. Throws where a newer
 * version wrote the file.
 */
export function openForWriting(options: OpenOptions): SqliteDatabase {
  makePrivateFolder(dirname(options.file));
  const database = new Database(options.file, { timeout: busyTimeoutMs });
  if (options.schema.pageSize !== undefined) database.pragma(`page_size = ${options.schema.pageSize}`);
  switchToWal(database);
  database.pragma(`synchronous = ${options.durability === "durable" ? "FULL" : "NORMAL"}`);
  applySchema(database, options);
  return database;
}

/** Opens a read-only connection; creates the file with its schema first where it is missing. */
export function openForReading(options: OpenOptions): SqliteDatabase {
  if (existsSync(options.file)) {
    const database = openReadOnly(options.file);
    if (isFine(database, options)) return database;
    database.close();
  }
  openForWriting(options).close();
  return openReadOnly(options.file);
}

const openReadOnly = (file: string): SqliteDatabase => new Database(file, { readonly: true, timeout: busyTimeoutMs });

/**
 * The first to open a new file switches it to WAL. SQLite fails at once where two do so together, so this waits its
 * turn.
 */
function switchToWal(database: SqliteDatabase): void {
  const deadline = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      database.pragma("journal_mode = WAL");
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, turnMs);
    }
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");

function applySchema(database: SqliteDatabase, options: OpenOptions): void {
  if (isFine(database, options)) return;
  const apply = database.transaction(() => {
    // Only from here on can nobody else be making the schema: another process may have made it since the first look.
    if (isFine(database, options)) return false;
    const empties = versionOf(database) > 0 && options.schema.whenOlder === "rebuild";
    if (empties) dropTables(database);
    database.exec(options.schema.statements);
    database.pragma(`user_version = ${options.schema.version}`);
    return empties;
  });
  if (apply.immediate()) options.onEmptied?.();
}

/** 0 for a file without a schema. */
const versionOf = (database: SqliteDatabase): number => database.pragma("user_version", { simple: true }) as number;

/**
 * False where the schema is missing, or is older and to be brought up to date. Throws, with the database closed, where
 * it is newer.
 */
function isFine(database: SqliteDatabase, { file, schema, durability, onEmptied }: OpenOptions): boolean {
  const found = versionOf(database);
  if (found <= schema.version)
    return found === schema.version || (found > 0 && schema.whenOlder === "rebuild" && onEmptied === undefined);
  database.close();
  const remedy =
    durability === "rebuildable"
      ? "Upgrade the program, or delete the file: it is rebuilt from the log."
      : "Upgrade the program or use another DATA_DIR.";
  throw new Error(
    `${file} was written by a newer version of this program (${schema.name}, schema ${found}; this one knows ${schema.version}). ${remedy}`,
  );
}

/** Drops virtual tables first: the tables behind them go with them. */
function dropTables(database: SqliteDatabase): void {
  const tables = database
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY sql NOT LIKE 'CREATE VIRTUAL%'",
    )
    .pluck();
  const exists = database
    .prepare<[string], number>("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
    .pluck();
  for (const name of tables.all()) if (exists.get(name) === 1) database.exec(`DROP TABLE "${name}"`);
}
