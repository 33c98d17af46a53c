import type { AuditQueries } from "../audit/auditQueries.js";
import type { AuditExport } from "../audit/export/auditExport.js";
import type { PastSearchReader } from "../audit/ports/pastSearch.js";
import { createAuditQueries } from "../audit/createAuditQueries.js";
import { apiRoutes } from "../http/apiRoutes.js";
import type { DocumentIntake } from "../http/ports.js";
import type { WhatIf } from "../audit/whatIf/http/trial.js";
import { createWhatIf } from "../audit/whatIf/http/whatIf.js";
import { openAuditExport, type AuditExportConfig } from "./auditExport.js";
import type { AskedHistory, PermissionHistoryReader } from "./permissionHistoryReader.js";
import type { ReadSide } from "./readSide.js";
import type { WriteSide } from "./writeSide.js";

/** What auditors ask. */
export interface AuditSide {
  readonly audit: AuditQueries;
  readonly auditExport: AuditExport;
  readonly whatIf: WhatIf;
}

/** What answers about the past rest on. */
export interface AuditParts {
  readonly writeSide: WriteSide;
  readonly readSide: ReadSide;
  readonly history: PermissionHistoryReader;
  readonly pastSearch: PastSearchReader;
  /** For requests that are only tried. */
  readonly intake: DocumentIntake;
}

/**
 * Questions about the past: answered from the log and from the permission history, those about now also from what is
 * served.
 */
export function openAuditSide(
  config: AuditExportConfig,
  { writeSide, readSide: { served }, history, pastSearch, intake }: AuditParts,
): AuditSide {
  const { streams, source, timelines, openTrial } = writeSide;
  const now = (): Date => new Date();
  const { clock, patienceMs } = history;
  const services = { log: streams, timelines, patienceMs, served, pastSearch, today: served, now };
  /** A question uses one version of the history from beginning to end. */
  const over = ({ clock: ofVersion, page }: AskedHistory): AuditQueries =>
    createAuditQueries({ ...services, clock: ofVersion, progress: ofVersion, page });
  const audit: AuditQueries = {
    access: (question) => history.answer((asked) => over(asked).access(question)),
    history: (question) => history.answer((asked) => over(asked).history(question)),
    search: (question) => history.answer((asked) => over(asked).search(question)),
  };
  return {
    audit,
    auditExport: openAuditExport(config, source, clock),
    whatIf: createWhatIf(apiRoutes, { audit, openTrial, intake, now }),
  };
}
