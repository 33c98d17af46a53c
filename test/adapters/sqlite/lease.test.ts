import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import type { Lease } from "../../../projections/ports.js";
import { openSqliteLease } from "../../../src/adapters/sqlite/sqliteLease.js";
import { granted, leaseContract } from "../../contracts/leaseContract.js";
import { quickLease as timing } from "../../support/leasedProjector.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";
import { holdElsewhere } from "./holdElsewhere.js";

/** As a process has them, on connections of its own. */
class LeasesOfProcess {
  private readonly opened: ReturnType<typeof openSqliteLease>[] = [];

  constructor(private readonly file: string) {}

  open(name: string): Lease {
    const lease = openSqliteLease({ file: this.file, name, timing });
    this.opened.push(lease);
    return lease;
  }

  close(): void {
    for (const lease of this.opened) lease.close();
  }
}

describe("a lease in SQLite", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;
  beforeEach(() => {
    folder = temporaryFolder("leases");
    file = join(folder.path, "leases.sqlite");
  });
  afterEach(() => folder.remove());

  leaseContract(async () => {
    const [first, second] = [new LeasesOfProcess(file), new LeasesOfProcess(file)];
    return {
      first: (name) => first.open(name),
      second: (name) => second.open(name),
      killFirst: () => first.close(),
      close: () => {
        first.close();
        second.close();
      },
    };
  });

  it("is granted anew where the file is damaged, also while it is held", async () => {
    const kept: string[] = [];
    const pages = Buffer.alloc(8_192, 0xa5);
    writeFileSync(file, pages);
    const lease = openSqliteLease({ file, name: "search", timing, onSetAside: (as) => kept.push(as) });
    const first = await granted(lease);
    for (const end of ["", "-wal"]) writeFileSync(`${file}${end}`, pages, { flag: "r+" });
    // Where the last token is lost, the clock makes the next one greater.
    for (const grantedBy = Date.now(); Date.now() === grantedBy;) await nextTurn();
    const heir = openSqliteLease({ file, name: "search", timing, onSetAside: (as) => kept.push(as) });
    const second = await granted(heir);
    expect(second.token > first.token).to.equal(true);
    expect(kept).to.deep.equal([`${file}.set-aside`, `${file}.set-aside`]);
    if (!first.lost.aborted) await once(first.lost, "abort");
    lease.close();
    heir.close();
  });

  it("passes on from a process that was killed", async () => {
    const holder = await holdElsewhere(file);
    await holder.kill();
    const heir = openSqliteLease({ file, name: "search", timing });
    expect((await granted(heir)).token > holder.token).to.equal(true);
    heir.close();
  });

  it("is lost by a process that stood still until another one had taken over", async () => {
    const holder = await holdElsewhere(file);
    expect(await holder.mayWrite()).to.equal(true);
    holder.pause();
    const heir = openSqliteLease({ file, name: "search", timing });
    const grant = await granted(heir);
    const asked = holder.mayWrite();
    holder.resume();
    expect(await asked).to.equal(false);
    expect(grant.lost.aborted).to.equal(false);
    await holder.kill();
    heir.close();
  });

  it("is lost where its file is removed, and granted anew with a greater token", async () => {
    const lease = openSqliteLease({ file, name: "search", timing });
    const first = await granted(lease);
    const lost = new Promise((resolve) => first.lost.addEventListener("abort", resolve));
    for (const ending of ["", "-wal", "-shm"]) rmSync(file + ending, { force: true });
    await lost;
    const second = await granted(lease);
    expect(second.token > first.token).to.equal(true);
    lease.close();
  });
});
