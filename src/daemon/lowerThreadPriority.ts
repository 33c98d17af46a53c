import { setPriority } from "node:os";

/** Half-way to idle: with processors to spare it changes nothing, without them live work goes first. */
const niceness = 10;

/** Where the system knows priorities of threads (Linux), this thread stands behind all others of the process. */
export function lowerThreadPriority(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, niceness);
  } catch {
    return;
  }
}
