import { openForWriting, type Schema, type SqliteDatabase } from "./database.js";
import { identityOf } from "./fileIdentity.js";
import { remadeWhereDamaged, type OnSetAside } from "./setAside.js";

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
 * is opened anew. One that is damaged is set aside: whoever held a lease has lost it, and asks again.
 */
export class LeaseRows {
  private opened: OpenedRows | null = null;
  private isClosed = false;

  constructor(
    private readonly file: string,
    private readonly onSetAside?: OnSetAside,
  ) {
    this.remadeWhereDamaged(() => this.open());
  }

  /**
   * Replaces a lease's row in one transaction. `successor` gets the row (null where there is none yet) and returns the
   * one to take its place, or null to leave it.
   */
  replace(name: string, successor: (row: LeaseRow | null) => LeaseRow | null): LeaseRow | null {
    return this.remadeWhereDamaged(() => {
      const { database, statements } = this.open();
      const exchange = database.transaction(() => {
        const next = successor(statements.select.get(name) ?? null);
        if (next !== null) statements.upsert.run(name, next.token, next.holder, next.renewals);
        return next;
      });
      return exchange.immediate();
    });
  }

  close(): void {
    this.isClosed = true;
    this.opened?.database.close();
  }

  private open(): OpenedRows {
    const { opened } = this;
    if (opened !== null && (this.isClosed || identityOf(this.file) === opened.identity)) return opened;
    opened?.database.close();
    this.opened = null;
    const database = openForWriting({ file: this.file, schema, durability: "rebuildable" });
    return (this.opened = { database, identity: identityOf(this.file), statements: prepareStatements(database) });
  }

  private remadeWhereDamaged<Value>(work: () => Value): Value {
    return remadeWhereDamaged(this.file, work, this.onSetAside);
  }
}

interface OpenedRows {
  readonly database: SqliteDatabase;
  readonly identity: string;
  readonly statements: ReturnType<typeof prepareStatements>;
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
