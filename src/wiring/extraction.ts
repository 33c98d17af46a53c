import { rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import type { TextExtractor } from "../../commands/ports.js";
import { findLibreOffice, type LibreOffice } from "../adapters/extraction/libreOffice.js";
import { ExtractionPool } from "../adapters/extraction/pool/extractionPool.js";
import { TikaExtractor } from "../adapters/extraction/tika/tikaExtractor.js";
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
  | "libreOffice"
  | "dataDir"
  | "tikaUrl"
>;

/** What reads files, for every part that has some. Its processes start with the first file that needs one. */
export function openExtraction(
  config: ExtractionConfig,
  logger: Logger,
): { readonly extractor: TextExtractor; close(): Promise<void> } {
  const libreOffice = libreOfficeOf(config);
  const pool = new ExtractionPool({
    limits: {
      maxCharacters: config.extractionMaxCharacters,
      ocrLanguages: config.ocr ? config.ocrLanguages : null,
      ...(libreOffice === null ? {} : { libreOffice }),
    },
    timeoutMs: config.extractionTimeoutMs,
    memoryMb: config.extractionMemoryMb,
    concurrency: config.extractionConcurrency ?? Math.max(1, availableParallelism() - 1),
    maxWaiting: config.extractionQueue,
    onEnded: (ending) => logger.warn({ because: ending }, "A process that read a file has ended, and is replaced."),
  });
  return { extractor: withTika(pool, config, logger), close: () => pool.close() };
}

/** The folder is emptied: a process that was killed leaves what it was at. */
function libreOfficeOf({ libreOffice, dataDir, extractionMemoryMb }: ExtractionConfig): LibreOffice | null {
  if (libreOffice === "off") return null;
  const program = libreOffice === "auto" ? findLibreOffice(process.env["PATH"] ?? "") : libreOffice.program;
  const folder = join(dataDir, "converting");
  rmSync(folder, { recursive: true, force: true });
  return program === null ? null : { program, folder, memoryBytes: extractionMemoryMb * 1_048_576 };
}

/** What is not read here, Apache Tika gets, where there is one. */
function withTika(pool: TextExtractor, config: ExtractionConfig, logger: Logger): TextExtractor {
  if (config.tikaUrl === null) return pool;
  return new TikaExtractor(pool, {
    url: config.tikaUrl,
    timeoutMs: config.extractionTimeoutMs,
    maxCharacters: config.extractionMaxCharacters,
    onFailed: (because) => logger.warn({ because }, "Apache Tika did not take a file."),
  });
}
