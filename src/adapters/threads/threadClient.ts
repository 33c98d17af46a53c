import type { Transferable, WorkerOptions } from "node:worker_threads";
import { RestartedWorker, ThreadEnded, type ThreadWatch } from "../../shared/restartedWorker.js";

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * Calls the handlers that a thread serves with `serveThread`. If the thread ends, every call that it has not answered
 * rejects with `ThreadEnded`, and it is started again.
 */
export class ThreadClient {
  private readonly name: string;
  private readonly thread: RestartedWorker;
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;

  constructor(entry: URL, { name, ...options }: WorkerOptions & { readonly name: string }, threads: ThreadWatch) {
    this.name = name;
    this.thread = new RestartedWorker({
      ...{ entry, name, threads },
      options: () => options,
      onMessage: (answer) => this.reply(answer as ThreadAnswer),
      onEnded: (reason) => this.rejectAll(reason),
    });
  }

  call<Answer>(method: string, payload: unknown, transfer: readonly Transferable[] = []): Promise<Answer> {
    const id = ++this.lastId;
    return new Promise<Answer>((resolve, reject) => {
      const request = { id, method, payload } satisfies ThreadRequest;
      if (this.thread.post(request, transfer)) this.pending.set(id, { resolve: resolve as Pending["resolve"], reject });
      else reject(new ThreadEnded(`The ${this.name} thread has ended, and is started again.`));
    });
  }

  /** Ends the thread after its `close` handler has run, whatever the outcome; one that has ended stays so. */
  async close(): Promise<void> {
    try {
      await this.call("close", null);
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
    } finally {
      await this.thread.terminate();
    }
  }

  private reply(answer: ThreadAnswer): void {
    const call = this.pending.get(answer.id);
    this.pending.delete(answer.id);
    if (answer.ok) call?.resolve(answer.value);
    else call?.reject(answer.error);
  }

  private rejectAll(reason: Error): void {
    const lost = [...this.pending.values()];
    this.pending.clear();
    const error = new ThreadEnded(`The ${this.name} thread ended before it answered: ${reason.message}`, 1, {
      cause: reason,
    });
    for (const call of lost) call.reject(error);
  }
}

export interface ThreadRequest {
  readonly id: number;
  readonly method: string;
  readonly payload: unknown;
}

export type ThreadAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: Error };
