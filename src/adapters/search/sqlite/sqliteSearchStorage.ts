import type { OpenedEmbedder, SearchIndexWriter } from "../../../../projections/search/ports.js";
import type { SearchReader } from "../../../../queries/ports.js";
import type { PastSearchReader } from "../../../audit/ports/pastSearch.js";
import type { Storage } from "../../../daemon/ports.js";
import type { ThreadWatch } from "../../../shared/restartedWorker.js";
import { removeDatabase, storedInFiles, versionFile, type VersionFiles } from "../../sqlite/versionFile.js";
import { withPastSearch } from "../withPastSearch.js";
import { openSqlitePastSearchReader } from "./openSqlitePastSearchReader.js";
import { openSqliteSearchIndexWriter, type SqliteSearchIndexWriterOptions } from "./openSqliteSearchIndexWriter.js";
import { openSqliteSearchReader } from "./openSqliteSearchReader.js";
import { searchProjectionName } from "./schema.js";
import { usualBudget } from "./searchBudget.js";

export interface SqliteSearchStorageOptions extends Pick<SqliteSearchIndexWriterOptions, "analyse"> {
  readonly dataDir: string;
  /** After so many milliseconds a search reads nothing more that is not in memory. */
  readonly budgetMs: number;
  /**
   * An index that another version of the program has made is emptied when it is opened for questions, for the projector
   * to rebuild, and this is told; left out: it is read as it is.
   */
  onEmptied?(): void;
  /** Makes what vectors are made with, for the projector of the version that is served; null: there are none. */
  openEmbedder(): OpenedEmbedder | null;
  /** Called where a thread of readers ends, and when it is back. */
  readonly threads: ThreadWatch;
}

/** Long transactions are far cheaper; a death costs as much work. */
const holdsWhileBuildingMs = 2_000;

/** The search collection in SQLite files: `search.sqlite`, and a file for each further version. */
export function sqliteSearchStorage({
  dataDir,
  budgetMs,
  analyse,
  onEmptied,
  openEmbedder,
  threads,
}: SqliteSearchStorageOptions): Storage<SearchIndexWriter, SearchReader & PastSearchReader> {
  const files: VersionFiles = { dataDir, name: searchProjectionName, first: "search.sqlite" };
  return {
    placement: "shared",
    openReader: async (version) => {
      const file = versionFile(files, version);
      const budget = { ...usualBudget, budgetMs };
      const reader = await openSqliteSearchReader({ file, budget, threads, onEmptied });
      const past = openSqlitePastSearchReader({ file, budget, threads });
      return withPastSearch(reader, past);
    },
    openStores: async ({ onFailure }) => ({
      lease: null,
      // Analysing a document takes a hundred times what other events take.
      buildingBatch: 200,
      open: async (version, _grant, building, earlier) => {
        const holdsMs = building === null ? undefined : (building.holdsMs ?? holdsWhileBuildingMs);
        // A version that nobody serves yet gets its vectors afterwards: they would hold up what is waited for.
        const embedder = building === null ? openEmbedder() : null;
        const index = openSqliteSearchIndexWriter({
          ...{ file: versionFile(files, version), analyse, onFailure, holdsMs, embedder },
          earlierFile: earlier === null ? null : versionFile(files, earlier),
          ...(embedder && { onEmbedderFailure: (error) => embedder.onFailure(error) }),
        });
        return {
          store: index,
          close: async () => {
            index.close();
            await embedder?.close();
          },
        };
      },
      close: () => undefined,
    }),
    ...storedInFiles(searchProjectionName, (version) => versionFile(files, version)),
    drop: (version) => removeDatabase(versionFile(files, version)),
  };
}
