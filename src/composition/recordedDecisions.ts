import type { Logger } from "pino";
import { DecisionRecorder } from "../operations/verify/decisionRecorder.js";
import type { RecordedDecisions } from "../../queries/ports.js";
import { openSqliteDecisions } from "../adapters/sqlite/openSqliteDecisions.js";
import { dataFiles } from "./dataFiles.js";
import type { ReadModelConfig } from "./readModelEngine.js";

const everyMs = 5_000;

/** Where decisions are recorded, and who writes them down. */
export interface DecisionRecording {
  readonly recorder: DecisionRecorder;
  /** Those that can be had. */
  list(): ReturnType<RecordedDecisions["list"]>;
  /** Writes down what is left. */
  close(): Promise<void>;
}

/** Without Redis all processes share the data folder. Nobody waits for it, and nothing fails because of it. */
export async function openDecisionRecording(
  { redisUrl: url, namespace, dataDir }: ReadModelConfig,
  logger: Logger,
): Promise<DecisionRecording> {
  const recorded =
    url === null
      ? openSqliteDecisions({ file: dataFiles(dataDir).decisions })
      : (await import("./redisAdapters.js")).openRedisDecisions({ url, namespace });
  const recorder = new DecisionRecorder(recorded);
  const flush = (): Promise<void> =>
    recorder
      .flush()
      .catch((error: unknown) => logger.debug({ err: error }, "Recent decisions could not be written down."));
  const timer = setInterval(() => void flush(), everyMs).unref();
  return {
    recorder,
    list: async () => {
      await flush();
      return recorded.list().catch(() => []);
    },
    close: async () => {
      clearInterval(timer);
      await flush();
      recorded.close();
    },
  };
}
