import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureAccess } from "./audit/access.js";
import { recordAuditLog, type AuditLogSize } from "./audit/auditLog.js";
import { measureFirstPages } from "./audit/firstPages.js";
import { measureProjecting } from "./audit/projecting.js";
import type { Measurement } from "./measure.js";

const size: AuditLogSize = { events: 1_000_000, documents: 100_000, people: 10_000, groups: 2_000 };

/** Questions about the past, and the projection that the wider ones rest on. */
export async function measureAudit(rounds: number, report: (line: string) => void): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-audit-"));
  try {
    const log = join(folder, "log.sqlite");
    await recordAuditLog(log, size, report);
    report("projecting the permission history");
    const projecting = await measureProjecting(log, join(folder, "permissionHistory.sqlite"), size.events);
    report("access as of a moment");
    const access = await measureAccess(log, join(folder, "permissionHistory.sqlite"), size, rounds);
    report("first pages");
    return [...access, ...(await measureFirstPages(folder, size, rounds)), projecting];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
