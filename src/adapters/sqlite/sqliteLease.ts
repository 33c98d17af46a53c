import { randomBytes } from "node:crypto";
import type { Lease, LeaseTiming } from "../../../projections/ports.js";
import { defaultTiming } from "../leases/leaseTiming.js";
import { RenewedGrant, type GrantedRight } from "../leases/renewedGrant.js";
import { standBy } from "../leases/standBy.js";
import { LeaseRows, type LeaseRow } from "./leaseRows.js";
import type { OnSetAside } from "./setAside.js";

export interface SqliteLeaseOptions {
  /** On a disk of this machine: SQLite's locks hold only between its processes. */
  readonly file: string;
  readonly name: string;
  readonly timing?: LeaseTiming;
  /** Told where the file was damaged, and was made anew. */
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
