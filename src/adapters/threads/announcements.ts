import { BroadcastChannel } from "node:worker_threads";
import { WaitList } from "../../shared/waiting.js";

/**
 * Tells the threads of this process at once that something has been written, and lets them wait for that. Other
 * processes' writes are not announced, so a waiter has to look for itself now and then.
 */
export class Announcements {
  private readonly channel: BroadcastChannel;
  private readonly waiting = new WaitList();

  /** Announcements reach everybody who names the same place. */
  constructor(place: string) {
    this.channel = new BroadcastChannel(place);
    this.channel.onmessage = () => this.waiting.wake();
    this.channel.unref();
  }

  /** Call after the write. */
  announce(): void {
    this.channel.postMessage(null);
    this.waiting.wake();
  }

  /** Resolves at the next announcement, after this long, or on abort: then look for yourself. */
  next(atMostMs: number, signal?: AbortSignal): Promise<void> {
    return this.waiting.next(atMostMs, signal);
  }

  close(): void {
    this.channel.close();
    this.waiting.wake();
  }
}
