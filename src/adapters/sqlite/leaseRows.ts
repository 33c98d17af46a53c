import { openForWriting, type Schema, type SqliteDatabase } from "./database.js";
import { identityOf } from "./fileIdentity.js";

/** Others hold the file for a fraction of a millisecond, unless they are stopped just then. */
const patienceMs = 1_000;

const schema: Schema = {
  name: "leases",
  version: 1,
  statements:
    "CREATE TABLE IF NOT EXISTS leases (name TEXT PRIMARY KEY, token INTEGER NOT NULL, holder TEXT, renewals INTEGER NOT NULL) WITHOUT ROWID;",
};

/** A lease as the file has it. */
export interface LeaseRow {
  /** The token of the last grant. */
  readonly token: number;
  /** Names the grant; null where it was given back. */
  readonly holder: string | null;
  /** Counts up for as long as the holder lives. */
  readonly renewals: number;
}

/**
 * The rows of leases in a file that the processes of one machine share. A file that was removed or replaced meanwhile
 * is opened anew.
 */
export class LeaseRows {
  private database: SqliteDatabase;
  private identity: string;
  private statements;
  private isClosed = false;

  constructor(private readonly file: string) {
    this.database = openForWriting({ file, schema, durability: "rebuildable" });
    this.identity = identityOf(file);
    this.statements = prepareStatements(this.database);
  }

  /**
   * Replaces a lease's row in one transaction. `successor` gets the row (null where there is none yet) and returns the
   * one to take its place, or null to leave it.
   */
  replace(name: string, successor: (row: LeaseRow | null) => LeaseRow | null): LeaseRow | null {
    const { database, statements } = this.opened();
    const exchange = database.transaction(() => {
      const next = successor(statements.select.get(name) ?? null);
      if (next !== null) statements.upsert.run(name, next.token, next.holder, next.renewals);
      return next;
    });
    return exchange.immediate();
  }

  close(): void {
    this.isClosed = true;
    this.database.close();
  }

  private opened(): { readonly database: SqliteDatabase; readonly statements: ReturnType<typeof prepareStatements> } {
    if (!this.isClosed && identityOf(this.file) !== this.identity) {
      this.database.close();
      this.database = openForWriting({ file: this.file, schema, durability: "rebuildable" });
      this.identity = identityOf(this.file);
      this.statements = prepareStatements(this.database);
    }
    return { database: this.database, statements: this.statements };
  }
}

function prepareStatements(database: SqliteDatabase) {
  database.pragma(`busy_timeout = ${patienceMs}`);
  return {
    select: database.prepare<[string], LeaseRow>("SELECT token, holder, renewals FROM leases WHERE name = ?"),
    upsert: database.prepare<[string, number, string | null, number]>(
      "INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?)",
    ),
  };
}
