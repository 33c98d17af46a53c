import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";

export type SqliteDatabase = Database.Database;

export interface Schema {
  /** What the tables are for, in the message that a newer file gets. */
  readonly name: string;
  /** Kept in `PRAGMA user_version`. */
  readonly version: number;
  /** Idempotent statements (`CREATE TABLE IF NOT EXISTS`) of this version. */
  readonly statements: string;
  /** Bytes of a page in a new file; SQLite's own choice (4,096) where it is left out. An existing file keeps its own. */
  readonly pageSize?: number;
}

export interface OpenOptions {
  readonly file: string;
  readonly schema: Schema;
  /**
   * `durable`: a commit is on disk when it returns (the log). `rebuildable`: a power cut may lose the newest commits,
   * checkpoint and effect together (the read models). better-sqlite3 falls back to NORMAL in WAL unless told.
   */
  readonly durability: "durable" | "rebuildable";
}

const busyTimeoutMs = 30_000;
const turnMs = 5;

/** Opens (and creates) a database for writing, in WAL mode. Throws where the file was written by a newer version. */
export function openForWriting(options: OpenOptions): SqliteDatabase {
  makeFolder(dirname(options.file));
  const database = new Database(options.file, { timeout: busyTimeoutMs });
  if (options.schema.pageSize !== undefined) database.pragma(`page_size = ${options.schema.pageSize}`);
  switchToWal(database);
  database.pragma(`synchronous = ${options.durability === "durable" ? "FULL" : "NORMAL"}`);
  applySchema(database, options);
  return database;
}

/** Opens a read-only connection; creates the file with its schema first where it is missing. */
export function openForReading(options: OpenOptions): SqliteDatabase {
  openForWriting(options).close();
  return new Database(options.file, { readonly: true, timeout: busyTimeoutMs });
}

/** Whoever opens a new file first switches it. SQLite fails at once where two do it together, so this waits its turn. */
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

const isBusy = (error: unknown): boolean => error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");

/** What `mkdirSync` with `recursive` promises; that one never returns where the system refuses a folder with ENOENT, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

function applySchema(database: SqliteDatabase, options: OpenOptions): void {
  const { schema } = options;
  if (isCurrent(database, options)) return;
  database
    .transaction(() => {
      // Only now nobody else can be making the schema: another process may have done so since the first look.
      if (isCurrent(database, options)) return;
      database.exec(schema.statements);
      database.pragma(`user_version = ${schema.version}`);
    })
    .immediate();
}

/** False where the schema is older or missing; throws, with the database closed, where it is newer. */
function isCurrent(database: SqliteDatabase, { file, schema }: OpenOptions): boolean {
  const found = database.pragma("user_version", { simple: true }) as number;
  if (found <= schema.version) return found === schema.version;
  database.close();
  throw new Error(
    `${file} was written by a newer version of this program (${schema.name}, schema ${found}; this one knows ${schema.version}). Upgrade the program or use another DATA_DIR.`,
  );
}
