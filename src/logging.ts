import { isMainThread } from "node:worker_threads";
import { pino, type DestinationStream, type LogFn, type Logger, type LoggerOptions } from "pino";
import { prettyLine } from "./logging/prettyLine.js";
import { RepeatedErrors } from "./logging/repeatedErrors.js";
import { version } from "./version.js";

const bufferedBytes = 4_096;
const flushEveryMs = 200;

export interface LoggingOptions {
  readonly logLevel: string;
  /** `pretty`: for people; `json`, the default: one JSON object a line. */
  readonly logFormat?: "pretty" | "json";
  /** Where the lines go; a program whose standard output is data logs to `stderr`. */
  readonly logTo?: "stdout" | "stderr";
}

/**
 * A logger of lines with the name of their level and the version of the program. On the main thread lines are collected
 * and written a few dozen at a time, so that logging a request costs it next to nothing; what is left is written when
 * the process ends. An error that keeps coming is logged with a growing pause, and `repeated` says how often it came
 * meanwhile.
 */
export function createLogger({ logLevel, logFormat = "json", logTo = "stdout" }: LoggingOptions): Logger {
  const options: LoggerOptions = {
    level: logLevel,
    base: { version },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
    serializers: { err: describeError },
    hooks: { logMethod: withoutRepeating },
  };
  const destination = destinations[logTo]();
  return pino(options, logFormat === "json" ? destination : forPeople(destination));
}

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

/** Writes are never left to the background: one of those could be overtaken by the last, or lost with the process. */
function openDestination(dest: number): DestinationStream {
  if (!isMainThread) return pino.destination({ dest, sync: true });
  const destination = pino.destination({ dest, sync: true, minLength: bufferedBytes });
  setInterval(() => destination.flush(), flushEveryMs).unref();
  process.on("exit", () => destination.flushSync());
  return destination;
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
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
