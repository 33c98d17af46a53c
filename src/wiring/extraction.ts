import { availableParallelism } from "node:os";
import type { Logger } from "pino";
import type { TextExtractor } from "../../commands/ports.js";
import { ExtractionPool } from "../adapters/extraction/pool/extractionPool.js";
import { smallTextsBefore } from "../adapters/extraction/smallTexts.js";
import type { Config } from "../config.js";

type ExtractionConfig = Pick<
  Config,
  | "extractionTimeoutMs"
  | "extractionMemoryMb"
  | "extractionMaxCharacters"
  | "extractionConcurrency"
  | "extractionQueue"
  | "ocr"
  | "ocrLanguages"
>;

/** What reads files, for whoever has some. Its processes start with the first file that needs one. */
export function openExtraction(
  config: ExtractionConfig,
  logger: Logger,
): { readonly extractor: TextExtractor; close(): Promise<void> } {
  const limits = {
    maxCharacters: config.extractionMaxCharacters,
    ocrLanguages: config.ocr ? config.ocrLanguages : null,
  };
  const pool = new ExtractionPool({
    limits,
    timeoutMs: config.extractionTimeoutMs,
    memoryMb: config.extractionMemoryMb,
    concurrency: config.extractionConcurrency ?? Math.max(1, availableParallelism() - 1),
    maxWaiting: config.extractionQueue,
    onEnded: (ending) => logger.warn({ because: ending }, "A process that read a file has ended, and is replaced."),
  });
  return { extractor: smallTextsBefore(pool, limits), close: () => pool.close() };
}
