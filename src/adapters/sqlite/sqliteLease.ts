import { randomBytes } from "node:crypto";
import type { Lease, LeaseTiming } from "../../../projections/ports.js";
import { defaultTiming, RenewedGrant, type GrantedRight, standBy } from "../leases/renewedGrant.js";
import { type OnSetAside, remadeWhereDamaged } from "./setAside.js";
import { openForWriting, type Schema, type SqliteDatabase } from "./database.js";
import { identityOf } from "./fileIdentity.js";

interface SqliteLeaseOptions {
  /** On a disk of this machine: SQLite's locks hold only between its processes. */
  readonly file: string;
  readonly name: string;
  readonly timing?: LeaseTiming;
  /** Called where the file was damaged, and was made anew. */
  readonly onSetAside?: OnSetAside;
}

/** A lease among the processes of one machine that share a file. Throws where the file cannot be opened. */
export function openSqliteLease({
  file,
  name,
  timing = defaultTiming,
  onSetAside,
}: SqliteLeaseOptions): Lease & { close(): void } {
  const rows = new LeaseRows(file, onSetAside);
  return {
    acquire: (signal) => {
      const watch = new Watch(timing.ttlMs);
      return standBy(() => ask(rows, name, timing, watch), timing.pollMs, signal);
    },
    close: () => rows.close(),
  };
}

/**
 * What a standby has seen of the holder. No clock is compared with another process's, nor the wall clock with anything.
 * The holder counts its renewals. A standby takes over where the count stood still for a grant's whole time on the
 * standby's own clock. The holder's time began before its count was written, so it ends before that.
 */
class Watch {
  private seen: Pick<LeaseRow, "holder" | "renewals"> | null = null;
  private since = 0;

  constructor(private readonly ttlMs: number) {}

  isOver({ holder, renewals }: LeaseRow): boolean {
    if (this.seen?.holder === holder && this.seen.renewals === renewals)
      return performance.now() - this.since >= this.ttlMs;
    this.seen = { holder, renewals };
    this.since = performance.now();
    return false;
  }
}

function ask(rows: LeaseRows, name: string, timing: LeaseTiming, watch: Watch): SqliteLeaseGrant | null {
  const holder = randomBytes(9).toString("base64url");
  const askedAt = performance.now();
  const granted = rows.replace(name, (row) => {
    if (row !== null && row.holder !== null && !watch.isOver(row)) return null;
    return { token: tokenAfter(row), holder, renewals: 0 };
  });
  return granted === null
    ? null
    : new SqliteLeaseGrant(rows, name, holder, { token: BigInt(granted.token), askedAt, timing });
}

/** The clock makes the token grow also where the file was lost, or a power cut took the last token back. */
const tokenAfter = (row: LeaseRow | null): number => Math.max((row?.token ?? 0) + 1, Date.now() * 1_000);

class SqliteLeaseGrant extends RenewedGrant {
  constructor(
    private readonly rows: LeaseRows,
    private readonly name: string,
    private readonly holder: string,
    right: GrantedRight,
  ) {
    super(right);
  }

  protected override async renew(): Promise<boolean> {
    return this.amend((row) => ({ ...row, renewals: row.renewals + 1 }));
  }

  protected override async surrender(): Promise<void> {
    this.amend((row) => ({ ...row, holder: null }));
  }

  /** False where the lease is somebody else's by now. */
  private amend(successor: (row: LeaseRow) => LeaseRow): boolean {
    return this.rows.replace(this.name, (row) => (row?.holder === this.holder ? successor(row) : null)) !== null;
  }
}

/** Others hold the file for a fraction of a millisecond, unless they are stopped just then. */
const patienceMs = 1_000;

const schema: Schema = {
  name: "leases",
  version: 1,
  statements:
    "CREATE TABLE IF NOT EXISTS leases (name TEXT PRIMARY KEY, token INTEGER NOT NULL, holder TEXT, renewals INTEGER NOT NULL) WITHOUT ROWID;",
};

/** A lease as the file has it. */
interface LeaseRow {
  /** The token of the last grant. */
  readonly token: number;
  /** Names the grant; null where it was given back. */
  readonly holder: string | null;
  /** Counts up for as long as the holder lives. */
  readonly renewals: number;
}

/**
 * The rows of leases in a file that the processes of one machine share. A file that was removed or replaced meanwhile
 * is opened anew. One that is damaged is set aside: a process that held a lease has lost it, and asks again.
 */
class LeaseRows {
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
