import { createQueries } from "../../queries/createQueries.js";
import type { Projected } from "../../queries/ports.js";
import type { Queries } from "../../queries/queries.js";
import { openSqliteReadModels } from "../adapters/readStore/sqlite/openSqliteReadModels.js";
import { openSqliteSearchReader } from "../adapters/searchIndex/sqlite/openSqliteSearchReader.js";
import type { Position } from "../shared/position.js";
import { dataFiles } from "./dataFiles.js";

/** What the read side needs to know of the settings. */
export interface ReadSideConfig {
  readonly dataDir: string;
  readonly productName: string;
  readonly consistencyTimeoutMs: number;
}

/** Queries, and how far the read models behind them have come. */
export interface ReadSide {
  readonly queries: Queries;
  /** Waits until every read model serves this position, `timeoutMs` at most; false where that was not enough. */
  hasReached(position: Position, timeoutMs: number): Promise<boolean>;
  /** As {@link hasReached}, for the read models of access, catalogue and credentials, which are never far behind. */
  settle(position: Position, timeoutMs: number): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Opens the read models of a data folder, creating them empty where they are missing. A search index that another version
 * of the program has made is emptied, for the projector to rebuild, and `onEmptied` is told; left out: it is read as it is.
 */
export async function openReadSide(config: ReadSideConfig, onEmptied?: () => void): Promise<ReadSide> {
  const files = dataFiles(config.dataDir);
  const models = openSqliteReadModels({ file: files.readModels });
  const search = await openSqliteSearchReader({ file: files.search, onEmptied });
  const quick: readonly Projected[] = [models.access, models.catalogue, models.credentials];
  const reached = async (readers: readonly Projected[], position: Position, timeoutMs: number): Promise<boolean> =>
    (await Promise.all(readers.map((reader) => reader.reached(position, timeoutMs)))).every(Boolean);
  return {
    queries: createQueries({
      search,
      access: models.access,
      catalogue: models.catalogue,
      credentials: models.credentials,
      productName: config.productName,
      consistencyTimeoutMs: config.consistencyTimeoutMs,
    }),
    hasReached: (position, timeoutMs) => reached([...quick, search], position, timeoutMs),
    settle: (position, timeoutMs) => reached(quick, position, timeoutMs),
    close: async () => {
      models.close();
      await search.close();
    },
  };
}
