import { availableParallelism } from "node:os";
import type { Logger } from "pino";
import type { EnginesOfTheWeb } from "../adapters/web/openWeb.js";
import { ExtractionPool } from "../adapters/extraction/pool/extractionPool.js";
import type { Config } from "../config.js";
import { createWebSearch } from "../webSearch/createWebSearch.js";
import { engineOfMode, isServed, type NamedEngines } from "../webSearch/engines.js";
import type { Summarize } from "../webSearch/ports.js";
import type { WebSearch } from "../webSearch/webSearch.js";
import { enginesThere } from "../settings/web.js";

/** A page that takes longer to read is not worth waiting for. */
const readingMs = 3_000;
/** More of a page nobody reads. */
const mostCharacters = 1_000_000;

/** Searches of the web. What they rest on is loaded and started with the first of them. */
export function openWebSearch(
  config: Config,
  logger: Logger,
  summarize: Summarize,
): { readonly webSearch: WebSearch; readonly searchesWeb: boolean; close(): Promise<void> } {
  // Of its own: pages wait for no files that are pushed, and files for no pages.
  const pool = new ExtractionPool({
    limits: { maxCharacters: Math.min(mostCharacters, config.extractionMaxCharacters), ocrLanguages: null },
    timeoutMs: Math.min(readingMs, config.extractionTimeoutMs),
    memoryMb: config.extractionMemoryMb,
    // One that takes its time must not be all there is.
    concurrency: config.extractionConcurrency ?? Math.max(2, availableParallelism() - 1),
    maxWaiting: config.extractionQueue,
    onEnded: (ending) => logger.warn({ because: ending }, "A process that read a page has ended, and is replaced."),
  });
  let opened: Promise<EnginesOfTheWeb> | undefined;
  const open = (): Promise<EnginesOfTheWeb> =>
    (opened ??= import("../adapters/web/openWeb.js").then(({ openWeb }) => openWeb(config, pool)));
  const named: NamedEngines = {
    search: config.webSearchEngine,
    context: config.webSearchContextEngine,
    thirdparty: config.webSearchThirdpartyEngine,
  };
  const there = enginesThere(config);
  const webSearch = createWebSearch({
    summarize,
    defaultMode: config.webSearchDefaultMode,
    engine: async (mode) => {
      const name = engineOfMode(mode, named, there);
      return (await open()).engines[name]();
    },
    groundingEngine: async () => {
      const name = engineOfMode("context", named, there);
      return (await open()).engines[name]();
    },
    pages: async () => (await open()).pages,
  });
  return {
    webSearch,
    searchesWeb: isServed(config.webSearchDefaultMode, named, there),
    close: async () => {
      await (await opened)?.close();
      await pool.close();
    },
  };
}
