import { parentPort, workerData } from "node:worker_threads";
import type { ProjectionState } from "../../commands/projection/versions.js";
import type { ProjectionName } from "../events/projection.js";
import { createLogger } from "../logging.js";
import { remedyFor } from "./damagedFile.js";
import { ToldProjectionFeed, type ProjectionStateByName } from "./projectionFeed.js";
import { startProjectors, type ProjectorConfig, type ProjectorGroupName } from "./projectors.js";

/** What a projector thread is started with. */
export interface ProjectorThreadData {
  readonly group: ProjectorGroupName;
  readonly config: ProjectorConfig;
  readonly logLevel: string;
  /** As they are when it is started. */
  readonly projections: ProjectionStateByName;
}

/** What it is told: to end, or that something has changed. */
export type ProjectorThreadMessage = "stop" | { readonly projection: ProjectionName; readonly state: ProjectionState };

const { group, config, logLevel, projections } = workerData as ProjectorThreadData;
const logger = createLogger({ logLevel, logTo: "stderr" });

// Logged here: of an error that crosses over to another thread little may be left, of SQLite's not even the message.
process.on("uncaughtException", (error) => {
  logger.error({ err: error, projector: group }, remedyFor(error) ?? "A projector thread died; it is started again.");
  process.exit(1);
});

const feed = new ToldProjectionFeed(projections);
const starting = startProjectors(group, config, {
  feed,
  logger,
  onProjectionError: (report) => parentPort?.postMessage(report),
});

/** Nothing keeps the thread alive once it was told to stop. */
parentPort?.on("message", async (message: ProjectorThreadMessage) => {
  if (message !== "stop") return feed.tell(message.projection, message.state);
  await (await starting).stop();
  parentPort?.close();
});

await starting;
