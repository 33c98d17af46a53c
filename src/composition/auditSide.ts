import type { AuditQueries } from "../../queries/audit/auditQueries.js";
import type { AuditExport } from "../../queries/audit/export/auditExport.js";
import type { PastSearchReader } from "../../queries/audit/pastSearchPorts.js";
import { createAuditQueries } from "../../queries/audit/createAuditQueries.js";
import { openAuditExport, type AuditExportConfig } from "./auditExport.js";
import type { PermissionHistoryReader } from "./permissionHistoryReader.js";
import type { ReadSide } from "./readSide.js";
import type { WriteSide } from "./writeSide.js";

/** What auditors ask. */
export interface AuditSide {
  readonly audit: AuditQueries;
  readonly auditExport: AuditExport;
}

/** What answers about the past rest on. */
export interface AuditParts {
  readonly writeSide: WriteSide;
  readonly readSide: ReadSide;
  readonly history: PermissionHistoryReader;
  readonly pastSearch: PastSearchReader;
}

/** Questions about the past: answered from the log and from the permission history, those about now also from what is served. */
export function openAuditSide(config: AuditExportConfig, { writeSide: { streams, source }, readSide: { served }, history, pastSearch }: AuditParts): AuditSide {
  const { clock, page, patienceMs } = history;
  return {
    audit: createAuditQueries({ log: streams, clock, progress: clock, patienceMs, page, served, pastSearch, today: served, now: () => new Date() }),
    auditExport: openAuditExport(config, source, clock),
  };
}
