import { realpathSync } from "node:fs";
import { BroadcastChannel } from "node:worker_threads";

const pollMs = 25;

/**
 * Tells the threads of this process at once that a database file has a new commit, and lets them wait for one. Other
 * processes' commits are not announced, so that a waiter looks again every {@link pollMs} milliseconds anyway.
 */
export class ChangeSignal {
  private readonly channel: BroadcastChannel;
  private readonly waiting = new Set<() => void>();

  /** `file` must exist: its real path names the channel. */
  constructor(file: string) {
    this.channel = new BroadcastChannel(`changed:${realpathSync(file)}`);
    this.channel.onmessage = () => this.wake();
    this.channel.unref();
  }

  /** Call after the commit. */
  announce(): void {
    this.channel.postMessage(null);
    this.wake();
  }

  /** Resolves at the next announcement, after a poll interval, or on abort: then look for yourself. */
  next(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, pollMs);
      this.waiting.add(done);
      signal?.addEventListener("abort", done);
      if (signal?.aborted) done();
    });
  }

  /** True as soon as `condition` holds, false once `timeoutMs` have passed without. */
  async until(condition: () => boolean, timeoutMs: number): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    while (!condition()) {
      if (performance.now() >= deadline) return false;
      await this.next();
    }
    return true;
  }

  close(): void {
    this.channel.close();
    this.wake();
  }

  private wake(): void {
    for (const done of [...this.waiting]) done();
  }
}
