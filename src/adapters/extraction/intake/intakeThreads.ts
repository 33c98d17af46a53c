import type { ThreadWatch } from "../../../shared/threadWatch.js";
import { ThreadClient } from "../../threads/threadClient.js";

const threadCount = 2;

/** Lends threads for document intake, each to one borrower at a time; others wait. They start when needed (ADR 1). */
export class IntakeThreads {
  private readonly idle: ThreadClient[] = [];
  private readonly running = new Set<ThreadClient>();
  private readonly waiting: ((thread: ThreadClient) => void)[] = [];

  /** `memoryMb` is what one thread may hold. */
  constructor(
    private readonly memoryMb: number,
    private readonly threads: ThreadWatch,
  ) {}

  /** Runs `use` with a thread of its own. A thread that failed is not trusted with the next one. */
  async borrow<Value>(use: (thread: ThreadClient) => Promise<Value>): Promise<Value> {
    const thread = await this.take();
    try {
      const value = await use(thread);
      this.giveBack(thread);
      return value;
    } catch (error) {
      this.replace(thread);
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.running].map((thread) => thread.close()));
  }

  private take(): Promise<ThreadClient> {
    const idle = this.idle.pop();
    if (idle !== undefined) return Promise.resolve(idle);
    if (this.running.size < threadCount) return Promise.resolve(this.start());
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private giveBack(thread: ThreadClient): void {
    const next = this.waiting.shift();
    if (next === undefined) this.idle.push(thread);
    else next(thread);
  }

  private replace(thread: ThreadClient): void {
    this.running.delete(thread);
    // Ending a thread that is dead already fails, and nothing is left to do about it.
    thread.close().catch(() => undefined);
    const next = this.waiting.shift();
    if (next !== undefined) next(this.start());
  }

  private start(): ThreadClient {
    const resourceLimits = { maxOldGenerationSizeMb: this.memoryMb };
    const thread = new ThreadClient(
      new URL("./documentIntakeThread.js", import.meta.url),
      { name: "document intake", resourceLimits },
      this.threads,
    );
    this.running.add(thread);
    return thread;
  }
}
