import type { AuditQueries } from "../../queries/audit/auditQueries.js";
import type { AuditExport } from "../../queries/audit/export/auditExport.js";
import { createAuditQueries } from "../../queries/audit/createAuditQueries.js";
import { openAuditExport, type AuditExportConfig } from "./auditExport.js";
import { openLogClock } from "./logClock.js";
import type { ReadSide } from "./readSide.js";
import type { WriteSide } from "./writeSide.js";

/** What auditors ask. */
export interface AuditSide {
  readonly audit: AuditQueries;
  readonly auditExport: AuditExport;
}

/** Questions about the past: answered from the log, and those about now also from what is served. */
export function openAuditSide(config: AuditExportConfig, { streams, source }: WriteSide, { served }: ReadSide): AuditSide {
  const clock = openLogClock(source);
  return {
    audit: createAuditQueries({ log: streams, clock, served, now: () => new Date() }),
    auditExport: openAuditExport(config, source, clock),
  };
}
