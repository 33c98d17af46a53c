import type { Embedder } from "../../../../projections/search/ports.js";
import { analyse } from "../../../../projections/search/prepareDocuments.js";
import { openSqliteSearchIndexWriter } from "../../../../src/adapters/search/sqlite/openSqliteSearchIndexWriter.js";
import {
  openSqliteSearchReader,
  type SqliteSearchReaderOptions,
} from "../../../../src/adapters/search/sqlite/openSqliteSearchReader.js";
import { usualBudget } from "../../../../src/adapters/search/sqlite/searchBudget.js";
import type { SearchIndexUnderTest } from "../../../contracts/searchIndexScenario.js";

/** Time enough on any machine. */
export const ampleBudget = { ...usualBudget, budgetMs: 60_000 };

export interface OpeningOptions extends Omit<SqliteSearchReaderOptions, "file"> {
  readonly listedRemovals?: number;
  readonly embedder?: Embedder;
  readonly earlierFile?: string;
}

/** A writer and a reader on this file. A failing step of pending work fails the test that is running. */
export async function openSearchIndex(
  file: string,
  remove: () => void,
  options: OpeningOptions = {},
): Promise<SearchIndexUnderTest> {
  const onFailure = (error: unknown): void => {
    throw error;
  };
  const { listedRemovals, embedder = null, earlierFile } = options;
  const index = openSqliteSearchIndexWriter({
    ...{ file, analyse, onFailure, listedRemovals, embedder, earlierFile, embedderPauseMs: 1 },
    onEmbedderFailure: () => undefined,
  });
  const reader = await openSqliteSearchReader({ file, budget: ampleBudget, ...options });
  const stop = async (): Promise<void> => {
    index.close();
    await reader.close();
  };
  return {
    index,
    reader,
    async reopen() {
      await stop();
      return openSearchIndex(file, remove, options);
    },
    async close() {
      await stop();
      remove();
    },
  };
}
