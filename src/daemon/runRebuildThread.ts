import { parentPort, workerData } from "node:worker_threads";
import { createLogger } from "../logging.js";
import { buildVersion } from "./buildVersion.js";
import type { ProjectorThreadMessage } from "./projectorThreads.js";
import { lowerThreadPriority } from "../shared/priority.js";
import type { OpenProjecting, ThreadConfig } from "./openProjecting.js";
import { ToldProjectionFeed } from "./projectionFeed.js";
import type { RebuildReport, RebuildThreadData } from "./rebuildThreads.js";

/**
 * What a thread does that `startRebuildThreads` has started: builds versions of one read model until none is under way.
 */
export async function runRebuildThread<Config extends ThreadConfig>(open: OpenProjecting<Config>): Promise<void> {
  const { name, config, projections } = workerData as RebuildThreadData<Config>;
  const logger = createLogger({ ...config, logTo: "stderr" });

  // Logged here: of an error that crosses over to another thread little may be left.
  process.on("uncaughtException", (error) => {
    logger.error({ err: error, projection: name }, "A thread that builds a version died; it is started again.");
    process.exit(1);
  });

  const feed = new ToldProjectionFeed(projections);
  const stopping = new AbortController();
  const report = (message: RebuildReport): void => parentPort?.postMessage(message);

  parentPort?.on("message", (message: ProjectorThreadMessage) => {
    if (message === "stop") stopping.abort();
    else feed.tell(message.projection, message.state);
  });

  lowerThreadPriority("rebuilding");
  const { readModels, close, ...projecting } = await open(config);
  const readModel = readModels.named(name);
  if (readModel === null) throw new Error(`There is no read model ${name}.`);
  await buildVersion({
    ...{ ...projecting, feed, logger, readModel, signal: stopping.signal },
    openLease: readModels.fileLease,
    reports: {
      compared: (version, comparison) => report({ kind: "compared", version, comparison }),
      ready: (version) => report({ kind: "ready", version }),
    },
    onProjectionError: (projectionError) => report({ kind: "projectionError", projectionError }),
  });
  await close();
  parentPort?.close();
}
