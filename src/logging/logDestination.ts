import { isMainThread } from "node:worker_threads";
import { pino, type DestinationStream } from "pino";

const bufferedBytes = 4_096;
const flushEveryMs = 200;
/** What is kept for a reader that is slow; what comes beyond it is dropped. */
const longestBacklogBytes = 4 * 1_048_576;
const longestEndMs = 1_000;

/**
 * Standard output or error as the place of log lines. On the main thread lines are collected and written a few dozen at
 * a time, so that logging a request costs it next to nothing; what is left is written when the process ends.
 *
 * Nothing waits for whoever reads the log: of one who stands still lines are kept and then dropped, and one who is gone
 * changes nothing.
 */
export class LogDestination implements DestinationStream {
  private readonly stream: ReturnType<typeof pino.destination>;
  private dropped = 0;
  private retriesUntil = 0;

  /** `onDropped` is told how many lines are missing, once lines can be written again. */
  constructor(
    descriptor: 1 | 2,
    private readonly onDropped: (lines: number) => void,
  ) {
    // Writes are never left to the background: one of those could be overtaken by the last, or lost with the process.
    this.stream = pino.destination({
      ...{
        dest: descriptor,
        sync: true,
        maxLength: longestBacklogBytes,
        retryEAGAIN: () => performance.now() < this.retriesUntil,
      },
      ...(isMainThread && { minLength: bufferedBytes }),
    });
    this.stream.on("error", () => undefined);
    this.stream.on("drop", () => this.dropped++);
    this.stream.on("drain", () => this.tellDropped());
    setInterval(() => this.stream.flush(), flushEveryMs).unref();
    process.on("exit", () => this.writeLast());
  }

  write(line: string): void {
    this.stream.write(line);
  }

  /** What is left, also to a reader who is slow. The stream's own `flushSync` tries for ever where nobody reads. */
  private writeLast(): void {
    this.retriesUntil = performance.now() + longestEndMs;
    this.stream.flush();
  }

  private tellDropped(): void {
    if (this.dropped === 0) return;
    const lines = this.dropped;
    this.dropped = 0;
    this.onDropped(lines);
  }
}
