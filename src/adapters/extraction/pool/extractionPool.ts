import type { Asker, Extraction, FileToExtract, TextExtractor } from "../../../../commands/ports.js";
import { ExtractionBusy } from "../../../shared/failures.js";
import type { ReadingLimits } from "../readFile.js";
import { type Ending, mostKept } from "./messages.js";
import { ReadingProcess, type Read } from "./readingProcess.js";

export interface ExtractionPoolOptions {
  readonly limits: ReadingLimits;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  /** Files that are read at once. */
  readonly concurrency: number;
  /** Askers that may wait. */
  readonly maxWaiting: number;
  /** What the processes run. Left out: they read files. */
  readonly entry?: URL;
  /** A process is replaced after so many files: what libraries leave behind goes with it. */
  readonly filesPerProcess?: number;
  /** A process that has nothing to read for so long is ended. */
  readonly idleMs?: number;
  /** Called for every file that no process could finish. */
  onEnded?(ending: Ending): void;
}

interface Job {
  readonly file: FileToExtract;
  readonly asker: Asker;
  resolve(extraction: Extraction): void;
  reject(error: Error): void;
}

const mebibyte = 1_048_576;
const retryAfterSeconds = 5;

const isAbandoned = (asker: Asker): boolean => asker.isAbandoned?.() === true;
const nobodyWaits = new ExtractionBusy("Nobody waits for the file to be read any more.", retryAfterSeconds);
const serviceEnds = new ExtractionBusy("The service ends. Send the request again.", retryAfterSeconds);
const notStarted = "The process that reads files could not be started. Send the request again.";

/**
 * Reads files in child processes, one at a time each (docs/design/files-and-extraction.md). They start when they are
 * needed. One that ends over a file ends alone: the file cannot be read, and another process reads the next.
 */
export class ExtractionPool implements TextExtractor {
  private readonly queue = new FairQueue<Job>();
  /** The askers that were let in once: they are not turned away in the middle. */
  private readonly admitted = new WeakSet();
  private readonly processes = new Set<ReadingProcess>();
  /** The one that was at work last stands last, and is the next. */
  private idle: { readonly process: ReadingProcess; readonly timer: NodeJS.Timeout }[] = [];
  private underWay = 0;
  private isClosed = false;

  constructor(private readonly options: ExtractionPoolOptions) {}

  async extract(file: FileToExtract, asker: Asker = {}): Promise<Extraction> {
    if (this.isFull()) this.dropAbandoned();
    if (this.isFull() && !this.admitted.has(asker))
      throw new ExtractionBusy("Too many files wait to be read. Send the request again.", retryAfterSeconds);
    this.admitted.add(asker);
    return new Promise((resolve, reject) => {
      this.queue.add(asker, { file, asker, resolve, reject });
      this.next();
    });
  }

  /** Ends the processes, whatever they are at, and resolves once they have ended. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const { timer } of this.idle) clearTimeout(timer);
    this.next();
    await Promise.all([...this.processes].map((process) => process.end("closed")));
  }

  private isFull(): boolean {
    return this.underWay >= this.options.concurrency && this.queue.askers >= this.options.maxWaiting;
  }

  /** Places in the queue are for those who still wait. */
  private dropAbandoned(): void {
    for (const { reject } of this.queue.takeAbandoned()) reject(nobodyWaits);
  }

  private next(): void {
    while (this.isClosed || this.underWay < this.options.concurrency) {
      const job = this.queue.take();
      if (job === undefined) return;
      if (isAbandoned(job.asker)) {
        job.reject(nobodyWaits);
        continue;
      }
      void this.run(job);
    }
  }

  private async run(job: Job): Promise<void> {
    this.underWay++;
    // Where no process can be made at all.
    const read = await this.read(job.file).catch((): Read => ({ ending: "notStarted" }));
    this.underWay--;
    // The next file is on its way before anybody goes on with this one.
    this.next();
    if ("extraction" in read) job.resolve(read.extraction);
    else this.tellEnd(read.ending, job);
  }

  private async read(file: FileToExtract): Promise<Read> {
    if (this.isClosed) return { ending: "closed" };
    const process = this.idleProcess() ?? this.start();
    const read = await process.read(file);
    this.putBack(process);
    return read;
  }

  private tellEnd(ending: Ending, { resolve, reject }: Pick<Job, "resolve" | "reject">): void {
    if (ending === "closed") return reject(serviceEnds);
    this.options.onEnded?.(ending);
    if (ending === "notStarted") reject(new ExtractionBusy(notStarted, retryAfterSeconds));
    else resolve({ kind: "unextractable", reason: this.reasonOf(ending) });
  }

  private reasonOf(ending: "time" | "memory" | "crashed"): string {
    const { timeoutMs, memoryMb } = this.options;
    switch (ending) {
      case "time":
        return `Reading took longer than ${timeoutMs / 1_000} s.`;
      case "memory":
        return `Reading it took more than ${memoryMb} MB of memory.`;
      case "crashed":
        return "The file ended the process that read it: it is damaged.";
    }
  }

  private start(): ReadingProcess {
    const { entry = new URL("./filesProcess.js", import.meta.url), limits, timeoutMs, memoryMb } = this.options;
    const process = new ReadingProcess({
      entry,
      limits: { ...limits, timeoutMs },
      timeoutMs,
      memoryBytes: memoryMb * mebibyte,
    });
    this.processes.add(process);
    void process.ended.then(() => this.processes.delete(process));
    return process;
  }

  private idleProcess(): ReadingProcess | null {
    for (let last = this.idle.pop(); last !== undefined; last = this.idle.pop()) {
      clearTimeout(last.timer);
      if (last.process.isAlive) return last.process;
    }
    return null;
  }

  private putBack(process: ReadingProcess): void {
    const { filesPerProcess = 5_000, idleMs = 60_000, memoryMb } = this.options;
    const isWorn = process.filesRead >= filesPerProcess || process.rssBytes > mostKept * memoryMb * mebibyte;
    if (!process.isAlive) return;
    if (isWorn || this.isClosed) return void process.end("closed");
    const timer = setTimeout(() => {
      this.idle = this.idle.filter((one) => one.process !== process);
      void process.end("closed");
    }, idleMs).unref();
    this.idle.push({ process, timer });
  }
}

/** Items that wait, of several askers: the askers take turns, and the items of one asker keep their order. */
class FairQueue<Item> {
  /** The asker whose turn comes first stands first. */
  private readonly waiting = new Map<Asker, Item[]>();

  /** How many askers wait. */
  get askers(): number {
    return this.waiting.size;
  }

  add(asker: Asker, item: Item): void {
    const items = this.waiting.get(asker);
    if (items === undefined) this.waiting.set(asker, [item]);
    else items.push(item);
  }

  /** Takes out everything of askers that nobody waits for any more. */
  takeAbandoned(): readonly Item[] {
    const left = [...this.waiting].filter(([asker]) => isAbandoned(asker));
    for (const [asker] of left) this.waiting.delete(asker);
    return left.flatMap(([, items]) => items);
  }

  /** Undefined: nothing waits. */
  take(): Item | undefined {
    for (const [asker, items] of this.waiting) {
      const item = items.shift();
      this.waiting.delete(asker);
      if (items.length > 0) this.waiting.set(asker, items);
      return item;
    }
    return undefined;
  }
}
