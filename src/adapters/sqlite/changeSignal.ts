import { realpathSync } from "node:fs";
import { Announcements } from "../threads/announcements.js";

const pollMs = 25;

/**
 * Tells the threads of this process at once that a database file has a new commit, and lets them wait for one. Other
 * processes' commits are not announced, so a waiter also looks every {@link pollMs} milliseconds.
 */
export class ChangeSignal {
  private readonly announcements: Announcements;

  /** `file` must exist: its real path names the channel. */
  constructor(file: string) {
    this.announcements = new Announcements(`changed:${realpathSync(file)}`);
  }

  /** Call after the commit. */
  announce(): void {
    this.announcements.announce();
  }

  /** Resolves at the next announcement, after a poll interval, or on abort: then look for yourself. */
  next(signal?: AbortSignal): Promise<void> {
    return this.announcements.next(pollMs, signal);
  }

  /** True as soon as `condition` holds; false where it did not within `timeoutMs`. */
  async until(condition: () => boolean, timeoutMs: number): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    while (!condition()) {
      if (performance.now() >= deadline) return false;
      await this.next();
    }
    return true;
  }

  close(): void {
    this.announcements.close();
  }
}
