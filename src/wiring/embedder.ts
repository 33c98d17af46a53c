import type { Logger } from "pino";
import type { OpenedEmbedder } from "../../projections/search/ports.js";
import { EmbeddingServer } from "../adapters/models/embeddingServer.js";
import { ModelServer } from "../adapters/models/modelServer.js";
import type { Config } from "../config.js";
import { RepeatedErrors } from "../logging.js";
import { ModelServerFailure } from "../shared/modelCalls.js";

export type EmbeddingSettings = Pick<
  Config,
  | "embeddingsUrl"
  | "embeddingsApiKey"
  | "embeddingsModel"
  | "embeddingsDimensions"
  | "embeddingsQueryPrefix"
  | "embeddingsPassagePrefix"
  | "embeddingsTimeoutMs"
  | "embeddingsLeastSimilarity"
>;

/** A batch of passages takes a model on a processor some seconds. */
const batchTimeoutMs = 60_000;

/**
 * What makes vectors of passages, or of queries, where a setting names it. No server is asked before there is a text.
 */
export function openEmbedder(
  config: EmbeddingSettings,
  of: "passages" | "queries",
  onFailure: (error: unknown) => void = () => undefined,
): OpenedEmbedder | null {
  const { embeddingsUrl: url, embeddingsApiKey: apiKey, embeddingsPassagePrefix: passagePrefix } = config;
  if (url === null) return null;
  const [timeoutMs, prefix] =
    of === "passages" ? [batchTimeoutMs, passagePrefix] : [config.embeddingsTimeoutMs, config.embeddingsQueryPrefix];
  const server = new ModelServer({ url, route: "embeddings", apiKey, timeoutMs });
  const { embeddingsModel: name, embeddingsDimensions: dimensions } = config;
  const embedder = new EmbeddingServer(server, { name, dimensions, prefix, passagePrefix });
  return {
    model: embedder.model,
    embed: (texts) => embedder.embed(texts),
    onFailure,
    close: () => server.close(),
  };
}

/** Warns of failures; those that keep coming get a line once in a while. Nothing of what was sent is in it. */
export function warnOnFailure(logger: Logger, sentence: string): (failure: unknown) => void {
  const repeated = new RepeatedErrors();
  return (failure) => {
    const isServers = failure instanceof ModelServerFailure;
    const suppressed = repeated.note(isServers ? failure.trouble : String(failure));
    if (suppressed === null) return;
    const because = isServers ? { because: failure.message } : { err: failure };
    logger.warn({ ...because, ...(suppressed > 0 && { suppressed }) }, sentence);
  };
}
