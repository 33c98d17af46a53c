import { BroadcastChannel } from "node:worker_threads";

/**
 * Tells the threads of this process at once that something has been written, and lets them wait for that. Other
 * processes' writes are not announced, so a waiter has to look for itself now and then.
 */
export class Announcements {
  private readonly channel: BroadcastChannel;
  private readonly waiting = new Set<() => void>();

  /** Announcements reach everybody who names the same place. */
  constructor(place: string) {
    this.channel = new BroadcastChannel(place);
    this.channel.onmessage = () => this.wake();
    this.channel.unref();
  }

  /** Call after the write. */
  announce(): void {
    this.channel.postMessage(null);
    this.wake();
  }

  /** Resolves at the next announcement, after this long, or on abort: then look for yourself. */
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

  close(): void {
    this.channel.close();
    this.wake();
  }

  private wake(): void {
    for (const done of [...this.waiting]) done();
  }
}
