import { parentPort, workerData } from "node:worker_threads";
import type { ComparisonSummary, ReadModelName } from "../../events/projection.js";
import { createLogger } from "../../logging.js";
import { remedyFor } from "../damagedFile.js";
import { ToldProjectionFeed, type ProjectionStateByName } from "../projectionFeed.js";
import type { ProjectionErrorReport } from "../projectorGroup.js";
import type { ProjectorConfig } from "../projectors.js";
import type { ProjectorThreadMessage } from "../projectorThread.js";
import { bringUp } from "./bringUp.js";
import { lowerThreadPriority } from "./lowerThreadPriority.js";

/** What the thread is started with. */
export interface RebuildThreadData {
  readonly name: ReadModelName;
  readonly config: ProjectorConfig;
  readonly logLevel: string;
  readonly projections: ProjectionStateByName;
}

/** What the thread reports. */
export type RebuildReport =
  | { readonly kind: "compared"; readonly version: number; readonly comparison: ComparisonSummary }
  | { readonly kind: "ready"; readonly version: number }
  | { readonly kind: "trouble"; readonly trouble: ProjectionErrorReport };

const { name, config, logLevel, projections } = workerData as RebuildThreadData;
const logger = createLogger({ logLevel, logTo: "stderr" });

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
await bringUp({
  name,
  config,
  feed,
  reports: {
    compared: (version, comparison) => report({ kind: "compared", version, comparison }),
    ready: (version) => report({ kind: "ready", version }),
  },
  onProjectionError: (trouble) => report({ kind: "trouble", trouble }),
  logger,
  signal: stopping.signal,
});
parentPort?.close();
