import { parentPort, workerData } from "node:worker_threads";
import { createLogger } from "../logging.js";
import type { ProjectorThreadData, ProjectorThreadMessage, ProjectorThreadReport } from "./projectorThreads.js";
import { lowerThreadPriority } from "../shared/priority.js";
import type { OpenProjecting, ThreadConfig } from "./openProjecting.js";
import { ToldProjectionFeed } from "./projectionFeed.js";
import { startGroup } from "./projectGroup.js";

/** What a thread does that `startProjectorThreads` has started: projects a group until it is told to stop. */
export async function runProjectorThread<Config extends ThreadConfig>(open: OpenProjecting<Config>): Promise<void> {
  const { group, config, projections } = workerData as ProjectorThreadData<Config>;
  const logger = createLogger({ ...config, logTo: "stderr" });

  // Logged here: of an error that crosses over to another thread little may be left, of SQLite's not even the message.
  process.on("uncaughtException", (error) => {
    logger.error({ err: error, projector: group }, "A projector thread died; it is started again.");
    process.exit(1);
  });

  const feed = new ToldProjectionFeed(projections);
  const starting = open(config).then(async ({ readModels, ...projecting }) => {
    const members = readModels.all.filter((readModel) => readModel.group === group);
    if (members.every(({ batchesEvents }) => batchesEvents)) lowerThreadPriority("projecting");
    const running = await startGroup(group, members, {
      ...{ ...projecting, feed, logger },
      onProjectionError: (report) => parentPort?.postMessage(report satisfies ProjectorThreadReport),
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
  parentPort?.postMessage("atWork" satisfies ProjectorThreadReport);
}
