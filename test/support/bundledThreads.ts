import { statSync } from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Worker, WorkerOptions } from "node:worker_threads";

/**
 * Mocha requires this before the tests. Threads of a service that runs in the test's process start from the bundle, as
 * they do for users: half the time of a test was spent on loading their modules one by one.
 */
const dist = new URL("../../", import.meta.url);
const bundle = new URL("bundle/", dist);
const compiled = fileURLToPath(new URL("src/", dist));

const changedAt = (file: string): number => statSync(new URL(file, dist), { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (changedAt("bundle/main.js") < changedAt(".tsbuildinfo"))
  throw new Error("The bundle is older than the compiled code. Run `npm run build` first.");

const threads = createRequire(import.meta.url)("node:worker_threads") as {
  Worker: typeof Worker;
};

threads.Worker = class extends threads.Worker {
  constructor(entry: string | URL, options?: WorkerOptions) {
    super(bundledEntry(entry), options);
  }
};
syncBuiltinESMExports();

/** Of a thread of the service; anything else stays what it is. */
function bundledEntry(entry: string | URL): string | URL {
  if (!(entry instanceof URL) || entry.protocol !== "file:") return entry;
  const file = fileURLToPath(entry);
  return file.startsWith(compiled) ? new URL(basename(file), bundle) : entry;
}
