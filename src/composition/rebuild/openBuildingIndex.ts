import { availableParallelism } from "node:os";
import type { Logger } from "pino";
import type { SearchIndexWriter } from "../../../projections/search/ports.js";
import { analyse } from "../../../projections/search/prepareDocuments.js";
import { openSqliteSearchIndexWriter } from "../../adapters/search/sqlite/openSqliteSearchIndexWriter.js";
import type { Throttle } from "./throttle.js";
import { ThreadedSearchIndexWriter } from "./threadedSearchIndexWriter.js";

export interface BuildingIndexOptions {
  readonly file: string;
  readonly throttle: Throttle;
  readonly logger: Logger;
  /**
   * So long a transaction stays open: that much a death costs, and that often progress shows. Two seconds where left
   * out.
   */
  readonly holdsMs?: number;
  onFailure(error: unknown): void;
}

/**
 * Opens an embedded search index that nobody serves yet for being filled: in long transactions, and, where the machine
 * has a processor for it, in a thread of its own.
 */
export function openBuildingIndex({
  file,
  throttle,
  logger,
  holdsMs = 2_000,
  onFailure,
}: BuildingIndexOptions): SearchIndexWriter & { close(): void | Promise<void> } {
  if (availableParallelism() === 1) return openSqliteSearchIndexWriter({ file, analyse, onFailure, holdsMs });
  return new ThreadedSearchIndexWriter({ file, holdsMs, logLevel: logger.level }, throttle);
}
