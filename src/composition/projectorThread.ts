import { parentPort, workerData } from "node:worker_threads";
import { createLogger } from "../logging.js";
import { remedyFor } from "./damagedFile.js";
import { startProjectors, type ProjectorConfig, type ProjectorGroupName } from "./projectors.js";

/** What a projector thread is started with. */
export interface ProjectorThreadData {
  readonly group: ProjectorGroupName;
  readonly config: ProjectorConfig;
  readonly logLevel: string;
}

const { group, config, logLevel } = workerData as ProjectorThreadData;
const logger = createLogger({ logLevel, logTo: "stderr" });

// Logged here: of an error that crosses over to another thread little may be left, of SQLite's not even the message.
process.on("uncaughtException", (error) => {
  logger.error({ err: error, projector: group }, remedyFor(error) ?? "A projector thread died; it is started again.");
  process.exit(1);
});

const projectors = await startProjectors(group, config, logger);

/** The only message there is: stop. Nothing keeps the thread alive after that. */
parentPort?.once("message", async () => {
  await projectors.stop();
  parentPort?.close();
});
