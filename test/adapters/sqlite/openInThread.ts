import { parentPort, workerData } from "node:worker_threads";
import { openForWriting, type Schema } from "../../../src/adapters/sqlite/database.js";

/** One of several threads that open the same files. */
export interface OpeningThreadData {
  readonly files: readonly string[];
  readonly schema: Schema;
  readonly openers: number;
  /** How many have come to a file, all files counted, and how many files may be opened. */
  readonly gate: Int32Array;
}

const { files, schema, openers, gate } = workerData as OpeningThreadData;
const [arrived, released] = [0, 1];

parentPort?.postMessage(files.map((file, round) => openTogether(file, round)));

/** Opens the file as soon as every thread is about to. */
function openTogether(file: string, round: number): string {
  if (Atomics.add(gate, arrived, 1) + 1 === openers * (round + 1)) {
    Atomics.store(gate, released, round + 1);
    Atomics.notify(gate, released);
  }
  Atomics.wait(gate, released, round);
  try {
    openForWriting({ file, schema, durability: "rebuildable" }).close();
    return "opened";
  } catch (error) {
    return (error as Error).message;
  }
}
