import { Worker, type Transferable, type WorkerOptions } from "node:worker_threads";
import { ReadModelUnavailable } from "./failures.js";

interface RestartedWorkerOptions {
  readonly entry: URL;
  readonly name: string;
  readonly threads: ThreadWatch;
  /** What each thread is started with, besides its name. */
  options(): WorkerOptions;
  /** The first message of a thread says that it is at work. */
  onMessage(message: unknown): void;
  /** Called for every end, also of one that was asked for: nothing that was sent will be answered any more. */
  onEnded(reason: Error): void;
}

/** A thread that dies before it is at work is started again after pauses that grow. */
const pauseMs = { first: 100, longest: 10_000 };

/** A thread that is started again whenever it ends, whatever ended it. */
export class RestartedWorker {
  private worker: Worker | null = null;
  private nextPauseMs = pauseMs.first;
  private restart: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(private readonly parts: RestartedWorkerOptions) {
    this.start();
  }

  /** False where no thread runs at the moment: nothing was sent. */
  post(message: unknown, transfer: readonly Transferable[] = []): boolean {
    this.worker?.postMessage(message, transfer);
    return this.worker !== null;
  }

  /** Resolves once the thread has ended, of its own accord; it is not started again. */
  async ended(): Promise<void> {
    const { worker } = this;
    this.stop();
    if (worker !== null) await new Promise((resolve) => worker.once("exit", resolve));
  }

  /** Ends the thread, whatever it is at. */
  async terminate(): Promise<void> {
    this.stop();
    await this.worker?.terminate();
  }

  private stop(): void {
    this.isStopping = true;
    clearTimeout(this.restart);
    this.parts.threads.noteBack(this);
  }

  private start(): void {
    const { entry, name, options, threads, onMessage } = this.parts;
    const worker = new Worker(entry, { ...options(), name });
    let reason: Error | null = null;
    worker.once("message", () => {
      this.nextPauseMs = pauseMs.first;
      threads.noteBack(this);
    });
    worker.on("message", onMessage);
    worker.on("error", (error: Partial<NodeJS.ErrnoException>) => (reason = arrived(name, error)));
    worker.on("exit", (code) => this.goOn(reason ?? new Error(`The ${name} thread ended with code ${code}.`)));
    this.worker = worker;
  }

  private goOn(reason: Error): void {
    const { name, threads, onEnded } = this.parts;
    this.worker = null;
    onEnded(reason);
    if (this.isStopping) return;
    threads.ended(this, name, reason);
    this.restart = setTimeout(() => this.start(), this.nextPauseMs);
    this.nextPauseMs = Math.min(2 * this.nextPauseMs, pauseMs.longest);
  }
}

/** An error of SQLite arrives with its code alone: no error, and without a message. */
function arrived(name: string, error: Partial<NodeJS.ErrnoException>): Error | null {
  if (error instanceof Error) return error;
  const { code } = error;
  return code === undefined ? null : Object.assign(new Error(`The ${name} thread ended with ${code}.`), { code });
}

/** Thrown where the thread that was to answer has ended. It is started again, and the client is told to come back. */
export class ThreadEnded extends ReadModelUnavailable {}

/** Knows which threads of this process have ended and are not at work again. Until then the process is not ready. */
export class ThreadWatch {
  private readonly missing = new Map<object, string>();

  /** Calls back with each end that nobody has asked for: the name of the thread, and why. */
  constructor(private readonly onEnded: (name: string, reason: Error) => void = () => undefined) {}

  ended(thread: object, name: string, reason: Error): void {
    this.missing.set(thread, name);
    this.onEnded(name, reason);
  }

  /** It works again, or is not needed any more. */
  noteBack(thread: object): void {
    this.missing.delete(thread);
  }

  /** The names of those that are away, sorted. */
  away(): readonly string[] {
    return [...this.missing.values()].sort();
  }
}
