import type { AuditQueries } from "../audit/auditQueries.js";
import { createAuditQueries } from "../audit/createAuditQueries.js";
import type { AuditExport } from "../audit/export/auditExport.js";
import type { WhatIf } from "../audit/whatIf/requests/whatIf.js";
import { createWhatIf } from "../audit/whatIf/requests/createWhatIf.js";
import { apiRoutes } from "../http/apiRoutes.js";
import type { DocumentIntake } from "../http/ports.js";
import { openAuditExport, type AuditExportConfig } from "./auditExport.js";
import type { AskedHistory, ReadSide } from "./readSide.js";
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
  readonly readSide: { readonly served: ReadSide["served"]; readonly history: Pick<ReadSide["history"], "use"> };
  /** For requests that are only tried. */
  readonly intake: DocumentIntake;
}

export interface AuditSideConfig extends AuditExportConfig {
  /** How long a question waits for the history to come as far as it asks. */
  readonly consistencyTimeoutMs: number;
}

/**
 * Questions about the past: answered from the log and from the permission history, those about now also from what is
 * served.
 */
export function openAuditSide(
  config: AuditSideConfig,
  { writeSide, readSide: { served, history }, intake }: AuditParts,
): AuditSide {
  const { streams, source, timelines, openTrial } = writeSide;
  const now = (): Date => new Date();
  const services = {
    ...{ log: streams, timelines, now, patienceMs: config.consistencyTimeoutMs },
    ...{ served, pastSearch: served.search, today: served },
  };
  /** A question uses one version of the history from beginning to end. */
  const over = (asked: AskedHistory): AuditQueries =>
    createAuditQueries({ ...services, clock: asked.clock, progress: asked, page: asked.page });
  const audit: AuditQueries = {
    access: (question) => history.use((asked) => over(asked).access(question)),
    history: (question) => history.use((asked) => over(asked).history(question)),
    search: (question) => history.use((asked) => over(asked).search(question)),
  };
  const clock: AskedHistory["clock"] = {
    positionAt: (time) => history.use((asked) => asked.clock.positionAt(time)),
    timeAt: (position) => history.use((asked) => asked.clock.timeAt(position)),
  };
  return {
    audit,
    auditExport: openAuditExport(config, source, clock),
    whatIf: createWhatIf(apiRoutes, { audit, openTrial, intake, now }),
  };
}
