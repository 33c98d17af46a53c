import { isMainThread } from "node:worker_threads";
import { pino, type Logger } from "pino";

const bufferedBytes = 4_096;
const flushEveryMs = 200;

export interface LoggingOptions {
  readonly logLevel: string;
  /** Where the lines go; a program whose standard output is data logs to `stderr`. */
  readonly logTo?: "stdout" | "stderr";
}

/**
 * A logger of JSON lines. On the main thread lines are collected and written in the background, so that logging a
 * request costs it next to nothing; what is left is written when the process ends.
 */
export function createLogger({ logLevel, logTo = "stdout" }: LoggingOptions): Logger {
  const destination = pino.destination({
    dest: logTo === "stdout" ? 1 : 2,
    sync: !isMainThread,
    minLength: isMainThread ? bufferedBytes : 0,
  });
  if (isMainThread) setInterval(() => destination.flush(), flushEveryMs).unref();
  return pino({ level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } }, destination);
}

/** What a log line says of an error: never its other properties, which may hold what people sent. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const code = (error as NodeJS.ErrnoException).code;
  return { type: name, message, stack, ...(code === undefined ? {} : { code }), ...(cause === undefined ? {} : { cause: describeError(cause) }) };
}
