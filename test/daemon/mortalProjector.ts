import { parentPort, workerData } from "node:worker_threads";
import type { ProjectionState } from "../../commands/projection/versions.js";
import type { ProjectorThreadData, ProjectorThreadMessage } from "../../src/daemon/projectorThreads.js";

/** A projector that dies when its projection is paused. Of what it was started with, it reports the live version. */
const { group, projections } = workerData as ProjectorThreadData<object>;
const report = (state: ProjectionState | undefined): void => parentPort?.postMessage({ group, live: state?.live ?? 0 });

parentPort?.postMessage("atWork");
report(projections.get("search"));
parentPort?.on("message", (message: ProjectorThreadMessage) => {
  if (message === "stop") return parentPort?.close();
  if (message.state.paused) process.exit(7);
  report(message.state);
});
