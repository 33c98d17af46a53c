import { BroadcastChannel } from "node:worker_threads";

/** Tells the threads of this process that something has been written to a collection, and waits for that. Other processes' writes are found out by asking. */
export class Announcements {
  private readonly channel: BroadcastChannel;
  private readonly waiting = new Set<() => void>();

  constructor(collection: string) {
    this.channel = new BroadcastChannel(`typesense:${collection}`);
    this.channel.onmessage = () => this.wake();
    this.channel.unref();
  }

  /** Call after the write. */
  announce(): void {
    this.channel.postMessage(null);
    this.wake();
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
