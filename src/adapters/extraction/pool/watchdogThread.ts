import { writeSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { tooMuchMemory } from "./messages.js";
import { working, type Watched } from "./watchdog.js";

/** So much is taken in the meantime at most: new memory comes at about a gigabyte a second. */
const lookEveryMs = 20;

const { state, memoryBytes, parent } = workerData as Watched;

/** Ends the whole process, whatever its other threads are busy with. */
function end(because: string): void {
  try {
    writeSync(2, `\n${because}\n`);
  } finally {
    // Also where nobody is left to read why.
    process.kill(process.pid, "SIGKILL");
  }
}

for (;;) {
  const seen = Atomics.load(state, 0);
  // A process that is not reading a file waits for the next one, and hears itself that nobody is left to send it.
  Atomics.wait(state, 0, seen, seen === working ? lookEveryMs : Number.POSITIVE_INFINITY);
  if (process.memoryUsage.rss() > memoryBytes) end(tooMuchMemory);
  if (process.ppid !== parent) end("The service is gone.");
}
