import type { Statement } from "better-sqlite3";
import Database from "better-sqlite3";
import type { SqliteDatabase } from "../../sqlite/database.js";

const patienceMs = 30_000;
const retryMs = 1;

/**
 * The file's write lock, from `BEGIN IMMEDIATE` to `COMMIT`. SQLite itself waits by sleeping up to 100 ms between two
 * attempts. Beside a busy writer, which leaves gaps of a tenth of a millisecond, another process could wait for
 * minutes. This lock tries every millisecond. It blocks its thread meanwhile, so that must not be a thread that serves
 * requests.
 */
export class WriteLock {
  private readonly begin: Statement;
  private readonly commitStatement: Statement;
  private readonly rollbackStatement: Statement;
  private readonly sleeper = new Int32Array(new SharedArrayBuffer(4));

  constructor(private readonly database: SqliteDatabase) {
    database.pragma("busy_timeout = 0");
    this.begin = database.prepare("BEGIN IMMEDIATE");
    this.commitStatement = database.prepare("COMMIT");
    this.rollbackStatement = database.prepare("ROLLBACK");
  }

  /** Throws `SQLITE_BUSY` where others held the lock for half a minute. */
  acquire(): void {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      try {
        this.begin.run();
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline) throw error;
        Atomics.wait(this.sleeper, 0, 0, retryMs);
      }
    }
  }

  commit(): void {
    this.commitStatement.run();
  }

  /** Undoes what was written since `acquire`. Does nothing where SQLite has rolled back by itself. */
  rollback(): void {
    if (this.database.inTransaction) this.rollbackStatement.run();
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
