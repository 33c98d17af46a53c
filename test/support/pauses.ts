import { setTimeout as delay } from "node:timers/promises";

const longestMs = 50;

/**
 * Pauses before something is asked again, each twice as long as the one before, up to 50 ms: whoever asks all the time
 * takes the processor from what it waits for.
 */
export function growingPauses(): () => Promise<void> {
  let ms = 1;
  return () => {
    ms = Math.min(2 * ms, longestMs);
    return delay(ms);
  };
}

/** Asks again and again until the answer is right; mocha's timeout is the limit. */
export async function eventually<Value>(ask: () => Promise<Value>, isRight: (value: Value) => boolean): Promise<Value> {
  for (const pause = growingPauses(); ; await pause()) {
    const value = await ask();
    if (isRight(value)) return value;
  }
}
