/** Lets callers wait for the next time that something happens, for a bounded time. */
export class WaitList {
  private readonly waiting = new Set<() => void>();

  /** Resolves when the list is woken, after this long, or on abort: then look for yourself. */
  next(atMostMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, atMostMs);
      this.waiting.add(done);
      signal?.addEventListener("abort", done);
      if (signal?.aborted) done();
    });
  }

  /** Ends the wait of everybody who waits now. */
  wake(): void {
    for (const done of [...this.waiting]) done();
  }
}
