import { existsSync, writeFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

/** A writer thread that dies of its first message; the one after it does its work. */
const { file } = workerData as { readonly file: string };
const died = `${file}.died`;

if (existsSync(died)) {
  await import("../../../../src/adapters/log/sqlite/writerThread.js");
} else {
  writeFileSync(died, "");
  parentPort?.postMessage("ready");
  parentPort?.once("message", () => process.exit(3));
}
