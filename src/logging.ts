import { pino, type DestinationStream, type LogFn, type Logger, type LoggerOptions } from "pino";
import { LogDestination } from "./logging/logDestination.js";
import { prettyLine } from "./logging/prettyLine.js";
import { RepeatedErrors } from "./logging/repeatedErrors.js";
import { once } from "./shared/once.js";
import { version } from "./version.js";

export interface LoggingOptions {
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
