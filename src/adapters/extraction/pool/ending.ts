import { tooMuchMemory } from "./messages.js";

/** Why a process that reads files has ended. */
export type Ending = "time" | "memory" | "crashed" | "notStarted" | "closed";

const heapIsFull = /heap limit|heap out of memory|Array buffer allocation failed/i;

/** What the last words of a process say of its end. */
export const whyEnded = (errorOutput: string): Ending =>
  errorOutput.includes(tooMuchMemory) || heapIsFull.test(errorOutput) ? "memory" : "crashed";
