import { setTimeout as sleep } from "node:timers/promises";

/** Resolves after this many milliseconds, or as soon as the signal aborts. */
export async function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
