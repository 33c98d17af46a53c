import { CliFailure } from "./cliFailure.js";

const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * Aborts at the first signal that asks the process to end. Further ones change nothing: what is in flight is finished.
 */
export function onInterrupt(): AbortSignal {
  const interrupted = new AbortController();
  for (const signal of signals)
    process.on(signal, () => interrupted.abort(new CliFailure(`It was interrupted (${signal}).`)));
  return interrupted.signal;
}

/** Resolves once the signal has aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
