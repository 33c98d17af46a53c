import { Worker, type Transferable, type WorkerOptions } from "node:worker_threads";
import type { ThreadAnswer, ThreadRequest } from "./messages.js";

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * Calls the handlers that a thread serves with `serveThread`. If the thread dies, every call rejects with the cause.
 */
export class ThreadClient {
  private readonly worker: Worker;
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;
  private death: Error | null = null;

  constructor(entry: URL, options: WorkerOptions & { readonly name: string }) {
    this.worker = new Worker(entry, options);
    this.worker.on("message", (answer: ThreadAnswer) => this.reply(answer));
    this.worker.on("error", (error: Error) => this.die(error));
    this.worker.on("exit", (code) => this.die(new Error(`The ${options.name} thread ended with code ${code}.`)));
  }

  call<Answer>(method: string, payload: unknown, transfer: readonly Transferable[] = []): Promise<Answer> {
    if (this.death !== null) return Promise.reject(this.death);
    const id = ++this.lastId;
    return new Promise<Answer>((resolve, reject) => {
      this.pending.set(id, { resolve: resolve as Pending["resolve"], reject });
      this.worker.postMessage({ id, method, payload } satisfies ThreadRequest, transfer);
    });
  }

  /** Ends the thread after its `close` handler has run, whatever the outcome. */
  async close(): Promise<void> {
    try {
      if (this.death === null) await this.call("close", null);
    } finally {
      await this.worker.terminate();
    }
  }

  private reply(answer: ThreadAnswer): void {
    const call = this.pending.get(answer.id);
    this.pending.delete(answer.id);
    if (answer.ok) call?.resolve(answer.value);
    else call?.reject(answer.error);
  }

  private die(error: Error): void {
    this.death ??= error;
    for (const call of this.pending.values()) call.reject(this.death);
    this.pending.clear();
  }
}
