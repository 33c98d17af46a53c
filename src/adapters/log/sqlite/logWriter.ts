import { Worker } from "node:worker_threads";
import type { AppendOutcome, AppendRequest } from "../../../../commands/ports.js";
import type { Upcasters } from "../../../events/upcasters.js";
import { addAppend, forEachOutcome, type AppendMessage, type OutcomeMessage } from "./appendMessage.js";

export interface WriterThreadData {
  readonly file: string;
}

export type ToWriter = AppendMessage | "close";

interface Pending {
  resolve(outcome: AppendOutcome): void;
  reject(error: Error): void;
}

const writerThread = new URL("./writerThread.js", import.meta.url);

/** The main thread's end of the writer thread. The requests of one turn of the event loop travel in one message. */
export class LogWriter {
  private readonly worker: Worker;
  private readonly ended: Promise<void>;
  /** In the order in which they were sent, which is the order of the answers. */
  private pending: Pending[] = [];
  private message: AppendMessage = [];
  private failure: Error | null = null;

  private constructor(
    file: string,
    private readonly upcasters: Upcasters,
    entry: URL,
  ) {
    this.worker = new Worker(entry, { name: "log writer", workerData: { file } satisfies WriterThreadData });
    this.ended = new Promise((resolve) => this.worker.once("exit", () => resolve()));
  }

  /** Resolves once the thread takes appends; rejects with its error where it cannot. */
  static async start(file: string, upcasters: Upcasters, entry: URL = writerThread): Promise<LogWriter> {
    const writer = new LogWriter(file, upcasters, entry);
    await new Promise<void>((resolve, reject) => {
      writer.worker.once("message", () => resolve());
      writer.worker.once("error", reject);
      writer.worker.once("exit", (code) =>
        reject(new Error(`The log's writer thread ended with code ${code} before it was ready.`)),
      );
    });
    writer.listen();
    return writer;
  }

  append(request: AppendRequest): Promise<AppendOutcome> {
    if (this.failure !== null) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      if (this.message.length === 0) setImmediate(() => this.flush());
      addAppend(this.message, request, this.upcasters);
      this.pending.push({ resolve, reject });
    });
  }

  /** Finishes what is queued, moves the WAL into the database file and ends the thread. Later appends reject. */
  async close(): Promise<void> {
    if (this.failure === null) {
      this.flush();
      this.failure = new Error("The event log is closed.");
      this.worker.postMessage("close" satisfies ToWriter);
    }
    await this.ended;
  }

  private listen(): void {
    this.worker.on("message", (message: OutcomeMessage) => this.reply(message));
    this.worker.on("error", (error: Error) => this.die(`failed: ${error.message}`));
    this.worker.on("exit", (code) => this.die(`ended with code ${code}.`));
  }

  private flush(): void {
    if (this.message.length === 0) return;
    this.worker.postMessage(this.message satisfies ToWriter);
    this.message = [];
  }

  private reply(message: OutcomeMessage): void {
    const answered = this.pending.splice(0, message.outcomes.length / 3);
    let next = 0;
    forEachOutcome(message, (outcome) => {
      const append = answered[next++];
      if (outcome instanceof Error) append?.reject(outcome);
      else append?.resolve(outcome);
    });
  }

  private die(how: string): void {
    this.failure ??= new Error(
      `The log's writer thread ${how} Restart the service; an append that got no answer may be repeated with the same event ids.`,
    );
    const lost = this.pending;
    this.pending = [];
    for (const append of lost) append.reject(this.failure);
  }
}
