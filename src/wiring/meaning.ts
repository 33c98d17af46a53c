import type { Logger } from "pino";
import type { Readers } from "../../queries/ports.js";
import { ModelServer } from "../adapters/models/modelServer.js";
import { RerankServer } from "../adapters/models/rerankServer.js";
import type { Config } from "../config.js";
import { RepeatedErrors } from "../logging/repeatedErrors.js";
import { ModelCalls, type CountedModelCalls } from "../shared/modelCalls.js";

/** The models that searches ask, as far as settings name them. */
export interface Meaning {
  /** The same readers, with the models. */
  added(readers: Readers): Readers;
  /** How their calls ended, since the start. */
  modelCalls(): readonly CountedModelCalls[];
  close(): Promise<void>;
}

export type MeaningSettings = Pick<Config, "rerankUrl" | "rerankApiKey" | "rerankModel" | "rerankTimeoutMs">;

/** Connections to models that searches ask. No server is asked before somebody searches. */
export function openMeaning(config: MeaningSettings, logger: Logger): Meaning {
  const { rerankUrl: url, rerankApiKey: apiKey, rerankModel, rerankTimeoutMs: timeoutMs } = config;
  if (url === null) return { added: (readers) => readers, modelCalls: () => [], close: () => Promise.resolve() };
  const server = new ModelServer({ url, route: "rerank", apiKey, timeoutMs });
  const calls = watchedCalls(logger, "The server of RERANK_URL gave no order; searches answer in the engine's.");
  const reranker = new RerankServer(server, rerankModel, calls);
  return {
    added: (readers) => ({ ...readers, reranker }),
    modelCalls: () => Array.from(calls.counted(), ([outcome, count]) => ({ purpose: "rerank", outcome, calls: count })),
    close: () => server.close(),
  };
}

/** A server that keeps failing gets a line once in a while. */
function watchedCalls(logger: Logger, sentence: string): ModelCalls {
  const repeated = new RepeatedErrors();
  return new ModelCalls(({ trouble, message }) => {
    const suppressed = repeated.note(trouble);
    if (suppressed === null) return;
    logger.warn({ because: message, ...(suppressed > 0 && { suppressed }) }, sentence);
  });
}
