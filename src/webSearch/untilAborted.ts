/**
 * Runs work that has to end when any of these signals aborts. The library's own `AbortSignal.any` keeps its sources
 * weakly: one that nobody else holds is forgotten with its timer, and never aborts.
 */
export async function untilAborted<Value>(
  signals: readonly (AbortSignal | undefined)[],
  work: (until: AbortController) => Promise<Value>,
): Promise<Value> {
  const until = new AbortController();
  const abort = (): void => until.abort();
  const heard = signals.filter((signal) => signal !== undefined);
  if (heard.some(({ aborted }) => aborted)) abort();
  for (const signal of heard) signal.addEventListener("abort", abort);
  try {
    return await work(until);
  } finally {
    for (const signal of heard) signal.removeEventListener("abort", abort);
  }
}
