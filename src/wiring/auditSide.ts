import { join } from "node:path";
import { openSigningKey } from "../adapters/signing/openSigningKey.js";
import { servedClock, type ServedHistory } from "../audit/asOf/askedHistory.js";
import type { AuditQueries } from "../audit/auditQueries.js";
import { createAuditQueries } from "../audit/createAuditQueries.js";
import { createAuditExport, type AuditExport, permissionLogOf } from "../audit/export/auditExport.js";
import type { ExportSigner } from "../audit/ports/export.js";
import { createWhatIf, type WhatIf } from "../audit/whatIf/requests/createWhatIf.js";
import type { Config } from "../config.js";
import { apiRoutes } from "./features.js";
import type { DocumentIntake } from "../http/ports.js";
import type { ReadSide } from "./readSide.js";
import type { WriteSide } from "./writeSide.js";

/** What auditors ask. */
interface AuditSide {
  readonly audit: AuditQueries;
  readonly auditExport: AuditExport;
  readonly whatIf: WhatIf;
}

/** What answers about the past rest on. */
interface AuditParts {
  readonly writeSide: WriteSide;
  readonly readSide: { readonly served: ReadSide["served"]; readonly history: ServedHistory };
  /** For requests that are only tried. */
  readonly intake: DocumentIntake;
}

type AuditSideConfig = Pick<Config, "dataDir" | "namespace" | "auditSigningKeyFile" | "consistencyTimeoutMs">;

/**
 * Questions about the past: answered from the log and from the permission history, those about now also from what is
 * served. No key for exports is made before somebody asks for one.
 */
export function openAuditSide(
  config: AuditSideConfig,
  { writeSide: { streams: log, source, timelines, openTrial }, readSide: { served, history }, intake }: AuditParts,
): AuditSide {
  const now = (): Date => new Date();
  const audit = createAuditQueries({
    ...{ log, timelines, now, served, history, patienceMs: config.consistencyTimeoutMs },
  });
  return {
    audit,
    auditExport: createAuditExport({
      ...{ log: permissionLogOf(source), namespace: config.namespace, now },
      ...{ clock: servedClock(history), signer: signerOf(config) },
    }),
    whatIf: createWhatIf(apiRoutes, { audit, openTrial, intake, now }),
  };
}

function signerOf({ dataDir, auditSigningKeyFile: named }: AuditSideConfig): () => Promise<ExportSigner> {
  const key = openSigningKey({ file: named ?? join(dataDir, "auditSigningKey.pem") });
  if (named === null) return () => key.signer();
  return () =>
    key.signer().catch((error: Error) => {
      throw new Error(`AUDIT_SIGNING_KEY_FILE names no key that can be used. ${error.message}`, { cause: error });
    });
}
