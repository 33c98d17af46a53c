import type { Logger } from "pino";
import { createPermissionHistoryWriter } from "../../projections/permissionHistory/permissionHistoryWriter.js";
import { permissionHistory } from "../../projections/permissionHistory/project.js";
import { openSqlitePermissionHistoryStore } from "../adapters/permissionHistory/sqlite/openSqlitePermissionHistoryStore.js";
import { dataFiles } from "./dataFiles.js";
import { openLogForProjections, type EventLogConfig } from "./eventLogEngine.js";
import { OpenParts } from "./openParts.js";
import { projectAndLog, type ProjectorGroup } from "./projectorGroup.js";

/** The projection that keeps who could see what, for auditors: in a file of this machine, whatever the other engines are. */
export function openPermissionHistoryProjector(config: EventLogConfig, logger: Logger): Promise<ProjectorGroup> {
  return OpenParts.orRelease(async (parts) => {
    const log = parts.add(await openLogForProjections(config), (part) => part.close());
    const store = parts.add(openSqlitePermissionHistoryStore({ file: dataFiles(config.dataDir).permissionHistory }), (part) => part.close());
    return {
      lease: null,
      project: (_grant, signal) =>
        projectAndLog({ projection: permissionHistory, writer: createPermissionHistoryWriter(store), source: log.source({ gathers: true }), signal }, logger),
      close: () => parts.release(),
    };
  });
}
