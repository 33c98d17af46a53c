import { delay } from "../shared/delay.js";

/** Does something, and again after each pause, until it is stopped: then what is under way is finished first. */
export function repeatUntilStopped(
  pauseMs: number,
  work: (signal: AbortSignal) => Promise<void>,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await work(stopping.signal);
      await delay(pauseMs, stopping.signal);
    }
  };
  const ended = run();
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}
