import { parentPort, workerData } from "node:worker_threads";
import { remedyFor } from "../daemon/damagedFile.js";
import { ToldProjectionFeed } from "../daemon/projectionFeed.js";
import { startGroup } from "../daemon/projectGroup.js";
import type { ProjectorThreadData, ProjectorThreadMessage } from "../daemon/projectorThreads.js";
import { createLogger } from "../logging.js";
import { openProjecting, type ProjectingConfig } from "./projecting.js";

const { group, config, projections } = workerData as ProjectorThreadData<ProjectingConfig>;
const logger = createLogger({ ...config, logTo: "stderr" });

// Logged here: of an error that crosses over to another thread little may be left, of SQLite's not even the message.
process.on("uncaughtException", (error) => {
  logger.error({ err: error, projector: group }, remedyFor(error) ?? "A projector thread died; it is started again.");
  process.exit(1);
});

const feed = new ToldProjectionFeed(projections);
const starting = openProjecting(config).then(async ({ readModels, ...projecting }) => {
  const members = readModels.all.filter((readModel) => readModel.group === group);
  const running = await startGroup(group, members, {
    ...{ ...projecting, feed, logger },
    onProjectionError: (report) => parentPort?.postMessage(report),
  });
  return { stop: () => running.stop().finally(() => projecting.close()) };
});

/** Nothing keeps the thread alive once it was told to stop. */
parentPort?.on("message", async (message: ProjectorThreadMessage) => {
  if (message !== "stop") return feed.tell(message.projection, message.state);
  await (await starting).stop();
  parentPort?.close();
});

await starting;
