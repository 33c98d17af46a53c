import { join } from "node:path";
import type { EventSource } from "../../projections/ports.js";
import { createAuditExport, type AuditExport } from "../audit/export/auditExport.js";
import { permissionCategories, type PermissionEvent } from "../audit/export/exportedFacts.js";
import type { ExportSigner, PermissionLog } from "../audit/ports/export.js";
import type { LogClock } from "../audit/ports/log.js";
import { openSigningKey } from "../adapters/signing/openSigningKey.js";
import type { Config } from "../config.js";
import type { RecordedEvent } from "../events/domainEvent.js";
import { beginning } from "../shared/position.js";
import { readUpTo } from "../shared/readUpTo.js";

/** What exports need to know of the settings. */
export type AuditExportConfig = Pick<Config, "dataDir" | "namespace" | "auditSigningKeyFile">;

/** So many take the thread a few milliseconds. */
const eventsAtOnce = 200;

/** Exports from the log that `source` delivers. Nothing is read, and no key is made, before somebody asks. */
export function openAuditExport(
  { dataDir, namespace, auditSigningKeyFile }: AuditExportConfig,
  source: EventSource,
  clock: LogClock,
): AuditExport {
  const key = openSigningKey({ file: auditSigningKeyFile ?? join(dataDir, "auditSigningKey.pem") });
  const signer = (): Promise<ExportSigner> =>
    auditSigningKeyFile === null ? key.signer() : key.signer().catch(sayWhichSetting);
  return createAuditExport({ log: permissionLogOf(source), namespace, signer, clock, now: () => new Date() });
}

function sayWhichSetting(error: Error): never {
  throw new Error(`AUDIT_SIGNING_KEY_FILE names no key that can be used. ${error.message}`, { cause: error });
}

/** The log as exports read it: from the beginning, in its order, to a position and no further. */
export const permissionLogOf = (source: EventSource): PermissionLog => ({
  head: () => source.head(),
  events: async function* (upTo, signal) {
    for await (const { events, position } of readUpTo({
      log: source,
      after: beginning,
      upTo,
      categories: permissionCategories,
      maxBatchSize: eventsAtOnce,
      signal,
    })) {
      const unread = events.find(({ unreadable }) => unreadable !== undefined);
      if (unread?.unreadable !== undefined) throw unread.unreadable.reason;
      // Of these categories, so of these types.
      yield { events: events as readonly RecordedEvent<PermissionEvent>[], position };
    }
  },
});
