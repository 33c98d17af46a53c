import type { AppendOutcome, AppendRequest } from "../../../../commands/ports.js";
import type { Upcasters } from "../../../events/upcasters.js";
import { EngineUnavailable } from "../../../shared/failures.js";
import { RestartedWorker, type ThreadWatch } from "../../../shared/restartedWorker.js";
import { addAppend, forEachOutcome, type AppendMessage, type OutcomeMessage } from "./appendMessage.js";

export interface WriterThreadData {
  readonly file: string;
}

export type ToWriter = AppendMessage | "close";

interface Pending {
  resolve(outcome: AppendOutcome): void;
  reject(error: Error): void;
}

interface Gathered {
  readonly arrival: number;
  readonly encoded: AppendMessage;
  readonly pending: Pending;
}

const writerThread = new URL("./writerThread.js", import.meta.url);

interface LogWriterOptions {
  readonly file: string;
  readonly upcasters: Upcasters;
  readonly threads: ThreadWatch;
  /** For tests. */
  readonly entry?: URL;
}

/** The main thread's end of the writer thread. The requests of one turn of the event loop travel in one message. */
export class LogWriter {
  private readonly thread: RestartedWorker;
  /** In the order in which they were sent, which is the order of the answers. */
  private pending: Pending[] = [];
  /** The appends of this turn, whose message is still to be sent. */
  private gathered: Gathered[] = [];
  private isReady = false;
  private isClosed = false;

  private constructor(
    { file, threads, entry = writerThread }: LogWriterOptions,
    private readonly upcasters: Upcasters,
    private started: { resolve(): void; reject(error: Error): void } | null,
  ) {
    this.thread = new RestartedWorker({
      ...{ entry, threads, name: "log writer" },
      options: () => ({ workerData: { file } satisfies WriterThreadData }),
      onMessage: (message) => (message === "ready" ? this.becomeReady() : this.reply(message as OutcomeMessage)),
      onEnded: (reason) => this.rejectAll(reason),
    });
  }

  /** Resolves once the thread takes appends; rejects with its error where it cannot. */
  static async start(options: LogWriterOptions): Promise<LogWriter> {
    let writer: LogWriter | undefined;
    const started = new Promise<void>((resolve, reject) => {
      writer = new LogWriter(options, options.upcasters, { resolve, reject });
    });
    await started;
    return writer as LogWriter;
  }

  /**
   * Rejects with `EngineUnavailable` where the thread ends before it answers, and where it has not come back yet. Then
   * it is not known whether the events were written; they may be appended again with the same ids.
   */
  append(request: AppendRequest): Promise<AppendOutcome> {
    if (this.isClosed) return Promise.reject(new Error("The event log is closed."));
    if (!this.isReady) return Promise.reject(new EngineUnavailable("The log's writer thread is started again."));
    return new Promise((resolve, reject) => {
      const encoded: AppendMessage = [];
      addAppend(encoded, request, this.upcasters);
      if (this.gathered.length === 0) setImmediate(() => this.flush());
      this.gathered.push({ arrival: request.arrival ?? 0, encoded, pending: { resolve, reject } });
    });
  }

  /** Finishes what is queued, moves the WAL into the database file and ends the thread. Later appends reject. */
  async close(): Promise<void> {
    if (!this.isClosed) {
      this.flush();
      this.isClosed = true;
      this.thread.post("close" satisfies ToWriter);
    }
    await this.thread.ended();
  }

  private becomeReady(): void {
    this.isReady = true;
    this.started?.resolve();
    this.started = null;
  }

  private flush(): void {
    if (this.gathered.length === 0) return;
    // Some commands have to read before they are decided: those after them have come to the log before them.
    const inOrder = this.gathered.sort((one, other) => one.arrival - other.arrival);
    this.gathered = [];
    for (const { pending } of inOrder) this.pending.push(pending);
    this.thread.post(inOrder.flatMap(({ encoded }) => encoded) satisfies ToWriter);
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

  private rejectAll(reason: Error): void {
    this.isReady = false;
    this.started?.reject(reason);
    if (this.started !== null) void this.thread.terminate();
    this.started = null;
    const lost = [...this.pending, ...this.gathered.map(({ pending }) => pending)];
    this.pending = [];
    this.gathered = [];
    const error = new EngineUnavailable(`The log's writer thread ended before it answered: ${reason.message}`, {
      cause: reason,
    });
    for (const append of lost) append.reject(error);
  }
}
