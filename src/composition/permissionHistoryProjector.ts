import { createPermissionHistoryWriter } from "../../projections/permissionHistory/permissionHistoryWriter.js";
import { permissionHistory } from "../../projections/permissionHistory/project.js";
import type { EventSource } from "../../projections/ports.js";
import { openSqlitePermissionHistoryStore } from "../adapters/permissionHistory/sqlite/openSqlitePermissionHistoryStore.js";
import { openLogForProjections, type EventLogConfig } from "./eventLogEngine.js";
import { historyFile, standInFor } from "./localHistory.js";
import { OpenParts } from "./openParts.js";
import { projectAndLog, type ProjectorGroup, type ProjectorTelling } from "./projectorGroup.js";
import { projectLiveVersion } from "./projectLiveVersion.js";

/**
 * The projection that keeps who could see what, for auditors: in a file of this machine, whatever the other engines
 * are.
 */
export function openPermissionHistoryProjector(
  config: EventLogConfig,
  { feed, logger, onProjectionError }: ProjectorTelling,
): Promise<ProjectorGroup> {
  return OpenParts.orRelease(async (parts) => {
    const log = parts.add(await openLogForProjections(config), (part) => part.close());
    const projectInto = async (version: number, signal: AbortSignal, onCaughtUp: () => void): Promise<void> => {
      const store = openSqlitePermissionHistoryStore({ file: historyFile(config.dataDir, version) });
      const source = tellingCaughtUp(log.source({ batches: true }), onCaughtUp);
      const writer = createPermissionHistoryWriter(store);
      await projectAndLog(
        { projection: permissionHistory, writer, source, version, signal, onProjectionError },
        logger,
      ).finally(() => store.close());
    };
    return {
      lease: null,
      project: (_grant, signal) =>
        projectLiveVersion({
          name: "permissionHistory",
          feed,
          signal,
          // Another process may have activated a version that is not whole in this folder: until it is, the one before
          // is kept up to date.
          project: async (version, until) => {
            const standIn = standInFor(config.dataDir, feed.of("permissionHistory"));
            const isWhole = new AbortController();
            const others =
              standIn === null ? [] : [projectInto(standIn, AbortSignal.any([until, isWhole.signal]), () => undefined)];
            await Promise.all([projectInto(version, until, () => isWhole.abort()), ...others]);
          },
        }),
      close: () => parts.release(),
    };
  });
}

type ClosableSource = EventSource & { close(): void | Promise<void> };

/** Told whenever everything that is in the log has been applied. */
const tellingCaughtUp = (source: ClosableSource, onCaughtUp: () => void): ClosableSource => ({
  head: () => source.head(),
  close: () => source.close(),
  async *subscribe(request) {
    for await (const batch of source.subscribe(request)) {
      yield batch;
      if (batch.caughtUp) onCaughtUp();
    }
  },
});
