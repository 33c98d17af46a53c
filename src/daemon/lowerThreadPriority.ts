import { setPriority } from "node:os";

/**
 * How far a thread stands behind those that answer people, as niceness. With processors to spare it changes nothing.
 * Without them what people wait for goes first, then what makes new documents searchable, then rebuilds.
 */
const niceness = { projecting: 5, rebuilding: 10 } as const;

/** Puts this thread behind others of the process, where the system has priorities of threads (Linux). */
export function lowerThreadPriority(work: keyof typeof niceness): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, niceness[work]);
  } catch {
    return;
  }
}
