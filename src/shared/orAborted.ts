/**
 * The outcome of `waiting`, or a rejection with the signal's reason as soon as it aborts. A later outcome is ignored.
 */
export function orAborted<Value>(waiting: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    waiting.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
