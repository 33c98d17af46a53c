import type { Lease, LeaseGrant } from "../../projections/ports.js";
import type { SearchIndexWriter } from "../../projections/search/ports.js";
import { analyse } from "../../projections/search/prepareDocuments.js";
import type { SearchReader } from "../../queries/ports.js";
import { openSqliteSearchIndexWriter } from "../adapters/searchIndex/sqlite/openSqliteSearchIndexWriter.js";
import { openSqliteSearchReader } from "../adapters/searchIndex/sqlite/openSqliteSearchReader.js";
import type { Config } from "../config.js";
import { dataFiles } from "./dataFiles.js";

/** What the search collection needs to know of the settings. */
export type SearchConfig = Pick<Config, "dataDir" | "namespace">;

export interface SearchProjecting {
  /** null: the engine's own checkpoints keep several processes from harming each other. */
  readonly lease: Lease | null;
  /** The writer, for as long as the grant holds (null where there is no lease). */
  writer(grant: LeaseGrant | null): Promise<SearchIndexWriter & { close(): void | Promise<void> }>;
  close(): void;
}

/** Opens the collection for reading, creating it empty where it is missing. As for `openReadSide`, `onEmptied` is told. */
export function openSearchReader(config: SearchConfig, onEmptied?: () => void): Promise<SearchReader & { close(): Promise<void> }> {
  return openSqliteSearchReader({ file: dataFiles(config.dataDir).search, onEmptied });
}

/** Opens the collection for the projection of one thread. */
export async function openSearchProjecting(config: SearchConfig, onFailure: (error: unknown) => void): Promise<SearchProjecting> {
  const { search: file } = dataFiles(config.dataDir);
  return { lease: null, writer: async () => openSqliteSearchIndexWriter({ file, analyse, onFailure }), close: () => undefined };
}
