import { Worker } from "node:worker_threads";

const waiting = 0;
export const working = 1;

export interface Watched {
  readonly state: Int32Array;
  readonly memoryBytes: number;
  /** The process that started this one. */
  readonly parent: number;
}

/**
 * Ends this process where it holds too much memory, or its parent is gone, while it is busy with a file. A thread of
 * its own looks: buffers escape the limits of a heap, and a reader may keep the event loop from turning.
 */
export class Watchdog {
  private readonly state = new Int32Array(new SharedArrayBuffer(4));

  constructor(memoryBytes: number) {
    const thread = new Worker(new URL("./watchdogThread.js", import.meta.url), {
      name: "watchdog",
      workerData: { state: this.state, memoryBytes, parent: process.ppid } satisfies Watched,
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
    });
    thread.unref();
  }

  async during<Value>(work: () => Promise<Value>): Promise<Value> {
    this.enter(working);
    try {
      return await work();
    } finally {
      this.enter(waiting);
    }
  }

  private enter(state: number): void {
    Atomics.store(this.state, 0, state);
    Atomics.notify(this.state, 0);
  }
}
