import { isMainThread } from "node:worker_threads";
import { pino, type DestinationStream, type Logger } from "pino";

const bufferedBytes = 4_096;
const flushEveryMs = 200;

export interface LoggingOptions {
  readonly logLevel: string;
  /** Where the lines go; a program whose standard output is data logs to `stderr`. */
  readonly logTo?: "stdout" | "stderr";
}

/**
 * A logger of JSON lines. On the main thread lines are collected and written a few dozen at a time, so that logging a
 * request costs it next to nothing; what is left is written when the process ends.
 */
export function createLogger({ logLevel, logTo = "stdout" }: LoggingOptions): Logger {
  const options = {
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  };
  return pino(options, destinations[logTo]());
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
