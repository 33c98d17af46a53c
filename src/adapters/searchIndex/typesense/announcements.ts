import { BroadcastChannel } from "node:worker_threads";

/** Tells the threads of this process that something has been written to a collection. Other processes find out by asking. */
export function announce(collection: string): void {
  const channel = new BroadcastChannel(`typesense:${collection}`);
  channel.postMessage(null);
  channel.close();
}

/** Waits for announcements, or for a while. */
export class Announcements {
  private readonly channel: BroadcastChannel;
  private readonly waiting = new Set<() => void>();

  constructor(collection: string) {
    this.channel = new BroadcastChannel(`typesense:${collection}`);
    this.channel.onmessage = () => this.wake();
    this.channel.unref();
  }

  /** Resolves at the next announcement, or after this long: then look for yourself. */
  next(atMostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, atMostMs);
      this.waiting.add(done);
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
