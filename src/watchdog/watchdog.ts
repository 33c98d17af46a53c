import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { Config } from "../config.js";
import { RequestsUnderWay } from "../shared/requestsUnderWay.js";

/** What the watching thread is started with. */
export interface WatchdogTerms {
  /** Grows by one with each turn of the main thread's event loop that the watchdog sees. */
  readonly turns: SharedArrayBuffer;
  readonly underWay: SharedArrayBuffer;
  /** So much CPU time the main thread may take without a turn, in seconds. */
  readonly seconds: number;
  readonly endsFile: string;
  readonly log: Pick<Config, "logFormat" | "logLevel">;
}

/** What is left of processes that their watchdog has ended, for the next ones. */
interface WatchdogEnds {
  readonly ends: number;
  /** ISO instant of the last. */
  readonly last: string;
}

/** How often the main thread says that it turns. */
const turnEveryMs = 250;

/** Watches the main thread from another one (docs/design/http.md). */
interface Watchdog {
  /** How often processes on this data folder were ended by their watchdog. */
  readonly ends: number;
  readonly underWay: RequestsUnderWay;
  stop(): Promise<void>;
}

type Settings = Pick<Config, "watchdogSeconds" | "dataDir" | "logFormat" | "logLevel">;

/**
 * Ends the process where the main thread has taken so much CPU time without a turn of its event loop: whatever it is
 * at, nobody gets an answer any more. Tells the log if an earlier process ended so. null: it is switched off.
 */
export function startWatchdog(config: Settings, logger: Logger): Watchdog | null {
  const { watchdogSeconds: seconds, dataDir, logFormat, logLevel } = config;
  if (seconds === 0) return null;
  const endsFile = join(dataDir, "watchdogEnds.json");
  const { ends, last } = earlierEnds(endsFile);
  if (ends > 0)
    logger.warn(
      { ends, last },
      "The watchdog has ended a process on this data folder before. Its last line says where.",
    );
  const turns = new SharedArrayBuffer(4);
  const underWay = RequestsUnderWay.memory();
  const terms: WatchdogTerms = { turns, underWay, seconds, endsFile, log: { logFormat, logLevel } };
  const worker = new Worker(new URL("./mainThreadWatchdog.js", import.meta.url), {
    name: "watchdog",
    workerData: terms,
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  });
  worker.on("error", (error) =>
    logger.error({ err: error }, "The watchdog has ended: the main thread is not watched."),
  );
  worker.unref();
  const turning = setInterval(() => Atomics.add(new Int32Array(turns), 0, 1), turnEveryMs).unref();
  return {
    ends,
    underWay: new RequestsUnderWay(underWay),
    async stop() {
      clearInterval(turning);
      await worker.terminate();
    },
  };
}

/** What earlier processes have left; none where nothing can be read there. */
export function earlierEnds(file: string): WatchdogEnds {
  try {
    const { ends, last } = JSON.parse(readFileSync(file, "utf8")) as WatchdogEnds;
    return Number.isSafeInteger(ends) ? { ends, last: String(last) } : { ends: 0, last: "" };
  } catch {
    return { ends: 0, last: "" };
  }
}
