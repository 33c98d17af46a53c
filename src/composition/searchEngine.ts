import type { Lease, LeaseGrant } from "../../projections/ports.js";
import { analyse } from "../../projections/search/prepareDocuments.js";
import type { SearchIndexWriter } from "../../projections/search/ports.js";
import type { SearchReader } from "../../queries/ports.js";
import { openRedisReadModelStores } from "../adapters/readStore/redis/openRedisReadModelStores.js";
import { openSqliteSearchIndexWriter } from "../adapters/searchIndex/sqlite/openSqliteSearchIndexWriter.js";
import { openSqliteSearchReader } from "../adapters/searchIndex/sqlite/openSqliteSearchReader.js";
import { openTypesenseSearchIndexWriter } from "../adapters/searchIndex/typesense/openTypesenseSearchIndexWriter.js";
import { openTypesenseSearchReader } from "../adapters/searchIndex/typesense/openTypesenseSearchReader.js";
import { openSqliteLease } from "../adapters/sqlite/sqliteLease.js";
import type { Config } from "../config.js";
import { dataFiles } from "./dataFiles.js";
import { namedAfter } from "./namedAfter.js";

/** What the search collection needs to know of the settings. */
export type SearchConfig = Pick<Config, "dataDir" | "namespace" | "typesenseUrl" | "typesenseApiKey" | "redisUrl">;

export interface SearchProjecting {
  /** null: the engine's own checkpoints keep several processes from harming each other. */
  readonly lease: Lease | null;
  /** The writer, for as long as the grant holds (null where there is no lease). */
  writer(grant: LeaseGrant | null): Promise<SearchIndexWriter & { close(): void | Promise<void> }>;
  close(): void;
}

/** Opens the collection for reading, creating it empty where it is missing. As for `openReadSide`, `onEmptied` is told. */
export function openSearchReader(config: SearchConfig, onEmptied?: () => void): Promise<SearchReader & { close(): Promise<void> }> {
  const server = typesenseOf(config);
  if (server === null) return openSqliteSearchReader({ file: dataFiles(config.dataDir).search, onEmptied });
  return namedAfter("TYPESENSE_URL", openTypesenseSearchReader(server));
}

/** Opens the collection for the projection of one thread. */
export async function openSearchProjecting(config: SearchConfig, onFailure: (error: unknown) => void): Promise<SearchProjecting> {
  const server = typesenseOf(config);
  if (server === null) {
    const { search: file } = dataFiles(config.dataDir);
    return { lease: null, writer: async () => openSqliteSearchIndexWriter({ file, analyse, onFailure }), close: () => undefined };
  }
  const { lease, close } = await openLease(config);
  return {
    lease,
    writer: (grant) => openTypesenseSearchIndexWriter({ ...server, analyse, onFailure, ...(grant !== null && { heldUntil: () => grant.heldUntil() }) }),
    close,
  };
}

/** Without Redis the read models are in the data folder, which all processes then share. */
async function openLease({ dataDir, namespace, redisUrl: url }: SearchConfig): Promise<{ readonly lease: Lease; close(): void }> {
  const name = "search";
  if (url !== null) {
    const redis = await namedAfter("REDIS_URL", openRedisReadModelStores({ url, namespace }));
    return { lease: redis.lease(name), close: () => redis.close() };
  }
  const lease = openSqliteLease({ file: dataFiles(dataDir).leases, name });
  return { lease, close: () => lease.close() };
}

function typesenseOf({ typesenseUrl: url, typesenseApiKey: apiKey, namespace }: SearchConfig): { readonly url: string; readonly apiKey: string; readonly namespace: string } | null {
  return url === null || apiKey === null ? null : { url, apiKey, namespace };
}
