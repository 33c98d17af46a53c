import { parentPort, workerData } from "node:worker_threads";
import { createLogger } from "../logging.js";
import { startProjectors, type ProjectorConfig, type ProjectorGroup } from "./projectors.js";

/** What a projector thread is started with. */
export interface ProjectorThreadData {
  readonly group: ProjectorGroup;
  readonly config: ProjectorConfig;
  readonly logLevel: string;
}

const { group, config, logLevel } = workerData as ProjectorThreadData;
const projectors = startProjectors(group, config, createLogger({ logLevel, logTo: "stderr" }));

/** The only message there is: stop. Nothing keeps the thread alive after that. */
parentPort?.once("message", async () => {
  await projectors.stop();
  parentPort?.close();
});
