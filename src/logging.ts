import { pino, type DestinationStream, type LogFn, type Logger, type LoggerOptions } from "pino";
import { isMainThread } from "node:worker_threads";
import { prettyLine } from "./logging/prettyLine.js";
import { once } from "./shared/waiting.js";
import { version } from "./version.js";

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** More errors than this at once are none that keep coming. */
const mostRemembered = 200;

interface Remembered {
  /** No line before this time. */
  quietUntil: number;
  pauseMs: number;
  /** Since the last line. */
  suppressed: number;
}

/**
 * Decides which errors get a line: one that keeps coming gets the next after a second, then after two, and so on up to
 * a minute. One that has stayed away for as long as its last pause is new again.
 */
export class RepeatedErrors {
  private readonly remembered = new Map<string, Remembered>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** How often it came since its last line; null: it gets none this time. */
  note(error: string): number | null {
    const now = this.now();
    const known = this.remembered.get(error);
    if (known === undefined || now > known.quietUntil + known.pauseMs) {
      this.remember(error, { quietUntil: now + firstPauseMs, pauseMs: firstPauseMs, suppressed: 0 });
      return known?.suppressed ?? 0;
    }
    if (now < known.quietUntil) {
      known.suppressed++;
      return null;
    }
    const { suppressed } = known;
    known.pauseMs = Math.min(longestPauseMs, known.pauseMs * 2);
    known.quietUntil = now + known.pauseMs;
    known.suppressed = 0;
    return suppressed;
  }

  private remember(error: string, as: Remembered): void {
    this.remembered.delete(error);
    this.remembered.set(error, as);
    const [oldest] = this.remembered.keys();
    if (this.remembered.size > mostRemembered && oldest !== undefined) this.remembered.delete(oldest);
  }
}

interface LoggingOptions {
  readonly logLevel: string;
  /** `pretty`: for people; `json`, the default: one JSON object a line. */
  readonly logFormat?: "pretty" | "json";
  /** Where the lines go; a program whose standard output is data logs to `stderr`. */
  readonly logTo?: "stdout" | "stderr";
}

/**
 * A logger of lines with the name of their level and the version of the program. An error that keeps coming is logged
 * with a growing pause, and `repeated` says how often it came meanwhile.
 */
export function createLogger({ logLevel, logFormat = "json", logTo = "stdout" }: LoggingOptions): Logger {
  const destination = destinations[logTo]();
  return pino(options(logLevel), logFormat === "json" ? destination : forPeople(destination));
}

const options = (level: string): LoggerOptions => ({
  level,
  base: { version },
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (name) => ({ level: name }) },
  serializers: { err: describeError },
  hooks: { logMethod: withoutRepeating },
});

const forPeople = (destination: DestinationStream): DestinationStream => ({
  write: (line) => void destination.write(prettyLine(line)),
});

const errors = new RepeatedErrors();

/** Passes everything on but errors that were logged a moment ago. */
function withoutRepeating(this: Logger, given: Parameters<LogFn>, log: LogFn, level: number): void {
  const [about, ...rest] = given as unknown as [unknown, ...unknown[]];
  const error = level < warning ? undefined : (about as { readonly err?: unknown } | null)?.err;
  if (error === undefined) return log.apply(this, given);
  const repeated = errors.note([JSON.stringify(this.bindings()), rest[0], kindOf(error)].join("\n"));
  if (repeated === null) return;
  const told = repeated === 0 ? about : { ...(about as object), repeated };
  log.apply(this, [told, ...rest] as unknown as Parameters<LogFn>);
}

const warning = pino.levels.values["warn"] ?? 0;

/** The same for errors of one kind, whatever they happened to. */
function kindOf(error: unknown): string {
  const { code, message, cause } = error as NodeJS.ErrnoException;
  return code ?? (cause === undefined ? undefined : (cause as NodeJS.ErrnoException).code) ?? message ?? String(error);
}

/** Loggers of one process share what they write to, so that their lines keep their order. */
const destinations = { stdout: once(() => openDestination(1)), stderr: once(() => openDestination(2)) };

function openDestination(descriptor: 1 | 2): LogDestination {
  const destination: LogDestination = new LogDestination(descriptor, (lines) =>
    pino(options("warn"), destination).warn({ lines }, "Lines of the log are missing: nobody read them in time."),
  );
  return destination;
}

/** What a log line says of an error: never its other properties, which may hold what people sent. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const code = (error as NodeJS.ErrnoException).code;
  return {
    type: name,
    message,
    stack,
    ...(code === undefined ? {} : { code }),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}

const bufferedBytes = 4_096;
const flushEveryMs = 200;
/** What is kept for a reader that is slow; what comes beyond it is dropped. */
const longestBacklogBytes = 4 * 1_048_576;

const longestEndMs = 1_000;

/**
 * Standard output or error as the place of log lines. On the main thread lines are collected and written a few dozen at
 * a time, so that logging a request costs it next to nothing; what is left is written when the process ends.
 *
 * Nothing waits for a reader of the log: of one who stands still lines are kept and then dropped, and one who is gone
 * changes nothing.
 */
class LogDestination implements DestinationStream {
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
