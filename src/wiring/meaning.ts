import type { Logger } from "pino";
import type { QueryEmbedder, Readers, Reranker } from "../../queries/ports.js";
import { ModelServer } from "../adapters/models/modelServer.js";
import { RememberedMeanings } from "../adapters/models/rememberedMeanings.js";
import { RerankServer } from "../adapters/models/rerankServer.js";
import type { Config } from "../config.js";
import { ModelCalls, type CountedModelCalls } from "../shared/modelCalls.js";
import { openEmbedder, type EmbeddingSettings } from "./embedder.js";
import { tellingOf } from "./tellModelFailures.js";

/** The models that searches ask, as far as settings name them. */
export interface Meaning {
  /** The same readers, with the models. */
  added(readers: Readers): Readers;
  /** How their calls ended, since the start. */
  modelCalls(): readonly CountedModelCalls[];
  /** Says which model makes vectors, in the words of `Embedder`; null: there is none. */
  readonly embeddingModel: string | null;
  close(): Promise<void>;
}

export type MeaningSettings = EmbeddingSettings &
  Pick<Config, "rerankUrl" | "rerankApiKey" | "rerankModel" | "rerankTimeoutMs">;

/** Connections to models that searches ask. No server is asked before somebody searches. */
export function openMeaning(config: MeaningSettings, logger: Logger): Meaning {
  const embedding = openQueryEmbedder(config, logger);
  const reranking = openReranker(config, logger);
  const opened = [embedding, reranking].filter((part) => part !== null);
  const models = {
    ...(embedding && { embedder: embedding.embedder }),
    ...(reranking && { reranker: reranking.reranker }),
  };
  return {
    added: (readers) => ({ ...readers, ...models }),
    modelCalls: () =>
      opened.flatMap(({ purpose, calls }) =>
        Array.from(calls.counted(), ([outcome, count]) => ({ purpose, outcome, calls: count })),
      ),
    embeddingModel: embedding?.model ?? null,
    close: async () => void (await Promise.all(opened.map((part) => part.close()))),
  };
}

interface OpenedModel {
  readonly purpose: string;
  readonly calls: ModelCalls;
  close(): Promise<void>;
}

function openQueryEmbedder(
  config: MeaningSettings,
  logger: Logger,
): (OpenedModel & { readonly embedder: QueryEmbedder; readonly model: string }) | null {
  const opened = openEmbedder(config, "queries");
  if (opened === null) return null;
  const sentence = "The server of EMBEDDINGS_URL gave no vector of a query; searches go by words alone.";
  const calls = new ModelCalls(tellingOf(logger, sentence));
  const embedder = new RememberedMeanings(opened, config.embeddingsLeastSimilarity / 100, calls);
  return { purpose: "query", calls, embedder, model: opened.model, close: () => opened.close() };
}

function openReranker(
  { rerankUrl: url, rerankApiKey: apiKey, rerankModel, rerankTimeoutMs: timeoutMs }: MeaningSettings,
  logger: Logger,
): (OpenedModel & { readonly reranker: Reranker }) | null {
  if (url === null) return null;
  const server = new ModelServer({ url, route: "rerank", apiKey, timeoutMs });
  const calls = new ModelCalls(
    tellingOf(logger, "The server of RERANK_URL gave no order; searches answer in the engine's."),
  );
  return {
    ...{ purpose: "rerank", calls, reranker: new RerankServer(server, rerankModel, calls) },
    close: () => server.close(),
  };
}
