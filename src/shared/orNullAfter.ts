import { setTimeout as sleep } from "node:timers/promises";

/** The outcome of `awaited`; null where it takes longer than this many milliseconds. A later outcome is ignored. */
export async function orNullAfter<Value>(milliseconds: number, awaited: Promise<Value>): Promise<Value | null> {
  const timer = new AbortController();
  try {
    return await Promise.race([awaited, sleep(milliseconds, null, { signal: timer.signal }).catch(() => null)]);
  } finally {
    timer.abort();
  }
}
