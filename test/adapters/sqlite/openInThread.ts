import { parentPort, workerData } from "node:worker_threads";
import { openForWriting, type Schema } from "../../../src/adapters/sqlite/database.js";

const { file, schema, gate } = workerData as {
  readonly file: string;
  readonly schema: Schema;
  readonly gate: Int32Array;
};

parentPort?.postMessage("waiting");
Atomics.wait(gate, 0, 0);
try {
  openForWriting({ file, schema, durability: "rebuildable" }).close();
  parentPort?.postMessage("opened");
} catch (error) {
  parentPort?.postMessage((error as Error).message);
}
