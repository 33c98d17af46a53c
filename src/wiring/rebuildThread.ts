import { parentPort, workerData } from "node:worker_threads";
import { buildVersion } from "../daemon/buildVersion.js";
import { remedyFor } from "../daemon/damagedFile.js";
import { lowerThreadPriority } from "../daemon/lowerThreadPriority.js";
import { ToldProjectionFeed } from "../daemon/projectionFeed.js";
import type { ProjectorThreadMessage } from "../daemon/projectorThreads.js";
import type { RebuildReport, RebuildThreadData } from "../daemon/rebuildThreads.js";
import { createLogger } from "../logging.js";
import { openProjecting, type ProjectingConfig } from "./projecting.js";

const { name, config, projections } = workerData as RebuildThreadData<ProjectingConfig>;
const logger = createLogger({ ...config, logTo: "stderr" });

// Logged here: of an error that crosses over to another thread little may be left.
process.on("uncaughtException", (error) => {
  logger.error(
    { err: error, projection: name },
    remedyFor(error) ?? "A thread that brings up a version died; it is started again.",
  );
  process.exit(1);
});

const feed = new ToldProjectionFeed(projections);
const stopping = new AbortController();
const report = (message: RebuildReport): void => parentPort?.postMessage(message);

parentPort?.on("message", (message: ProjectorThreadMessage) => {
  if (message === "stop") stopping.abort();
  else feed.tell(message.projection, message.state);
});

lowerThreadPriority();
const { readModels, close, ...projecting } = await openProjecting(config);
await buildVersion({
  ...{ ...projecting, close, feed, logger, readModel: readModels[name], signal: stopping.signal },
  openLease: readModels.fileLease,
  reports: {
    compared: (version, comparison) => report({ kind: "compared", version, comparison }),
    ready: (version) => report({ kind: "ready", version }),
  },
  onProjectionError: (trouble) => report({ kind: "trouble", trouble }),
});
await close();
parentPort?.close();
