import { setPriority } from "node:os";

/**
 * How far work stands behind the answers that people wait for, as niceness. With processors to spare it changes
 * nothing. Without them, a client that pushes waits longer than a person who searches, then what was pushed becomes
 * searchable, then rebuilds go on, and pages of files are checked at last.
 */
const niceness = { reading: 5, projecting: 10, rebuilding: 15, checkingPages: 19 } as const;

type Work = keyof typeof niceness;

/** Puts this process behind others, with the threads that it starts from here on. */
export function lowerProcessPriority(work: Work): void {
  try {
    setPriority(niceness[work]);
  } catch {
    // Where the system forbids it, the process keeps its priority.
    return;
  }
}

/** Puts this thread behind others of the process, where the system has priorities of threads (Linux). */
export function lowerThreadPriority(work: Work): void {
  if (process.platform === "linux") lowerProcessPriority(work);
}
