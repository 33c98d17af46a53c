import { parentPort } from "node:worker_threads";

/** A writer thread that dies of the first message. */
parentPort?.postMessage("ready");
parentPort?.once("message", () => process.exit(3));
