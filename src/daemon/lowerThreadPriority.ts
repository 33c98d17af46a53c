import { setPriority } from "node:os";

/** Half-way to idle: with processors to spare it changes nothing, without them live work goes first. */
const niceness = 10;

/** Puts this thread behind all others of the process, where the system has priorities of threads (Linux). */
export function lowerThreadPriority(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, niceness);
  } catch {
    return;
  }
}
