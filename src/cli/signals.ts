import { CliFailure } from "./cliFailure.js";

const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** `npm` passes a Ctrl-C on that the terminal has sent to everybody: two signals so close are one keystroke. */
const oneKeystrokeMs = 500;

/**
 * Aborts at the first signal that asks the process to end: what is in flight is finished. Further ones change nothing,
 * but a second Ctrl-C ends the process at once.
 */
export function onInterrupt(): AbortSignal {
  const interrupted = new AbortController();
  let since: number | null = null;
  const note = (signal: (typeof signals)[number]): void => {
    const now = performance.now();
    if (since === null) interrupted.abort(new CliFailure(`It was interrupted (${signal}).`));
    else if (signal === "SIGINT" && now - since > oneKeystrokeMs) endAtOnce();
    since ??= now;
  };
  for (const signal of signals) process.on(signal, () => note(signal));
  return interrupted.signal;
}

function endAtOnce(): never {
  process.stderr.write("It was interrupted again and ends at once. What was answered is on disk; the rest is lost.\n");
  process.exit(1);
}

/** Resolves once the signal has aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
