import type { OpenedEmbedder } from "../../projections/search/ports.js";
import { EmbeddingServer } from "../adapters/models/embeddingServer.js";
import { ModelServer } from "../adapters/models/modelServer.js";
import type { Config } from "../config.js";

export type EmbeddingSettings = Pick<
  Config,
  | "embeddingsUrl"
  | "embeddingsApiKey"
  | "embeddingsModel"
  | "embeddingsDimensions"
  | "embeddingsTimeoutMs"
  | "embeddingsLeastSimilarity"
>;

/** A batch of passages takes a model on a processor some seconds. */
const batchTimeoutMs = 60_000;

/** What makes vectors, where a setting names it. No server is asked before there is something to ask. */
export function openEmbedder(
  config: EmbeddingSettings,
  onFailure: (error: unknown) => void = () => undefined,
  timeoutMs = batchTimeoutMs,
): OpenedEmbedder | null {
  const { embeddingsUrl: url, embeddingsApiKey: apiKey, embeddingsModel: name, embeddingsDimensions } = config;
  if (url === null) return null;
  const server = new ModelServer({ url, route: "embeddings", apiKey, timeoutMs });
  const embedder = new EmbeddingServer(server, { name, dimensions: embeddingsDimensions });
  return {
    model: embedder.model,
    embed: (texts) => embedder.embed(texts),
    onFailure,
    close: () => server.close(),
  };
}
