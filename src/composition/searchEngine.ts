import type { Lease, LeaseGrant, ParkedEvents } from "../../projections/ports.js";
import { analyse } from "../../projections/search/prepareDocuments.js";
import type { SearchIndexWriter } from "../../projections/search/ports.js";
import type { Counted, SearchReader } from "../../queries/ports.js";
import { openSqliteSearchIndexWriter } from "../adapters/search/sqlite/openSqliteSearchIndexWriter.js";
import { openSqliteSearchReader } from "../adapters/search/sqlite/openSqliteSearchReader.js";
import type { LeaseTiming } from "../adapters/leases/leaseTiming.js";
import { openSqliteLease } from "../adapters/sqlite/sqliteLease.js";
import type { Config } from "../config.js";
import { dataFiles } from "./dataFiles.js";
import { prefixWithSetting } from "./prefixWithSetting.js";
import { fileOf, namespaceOf } from "./versionPlaces.js";

/** What the search collection needs to know of the settings. */
export type SearchConfig = Pick<Config, "dataDir" | "namespace" | "typesenseUrl" | "typesenseApiKey" | "redisUrl">;

export interface SearchProjecting {
  /** null: the engine's own checkpoints keep several processes from harming each other. */
  readonly lease: Lease | null;
  /** The writer of a version, for as long as the grant holds (null where there is no lease). */
  writer(version: number, grant: LeaseGrant | null): Promise<SearchIndexWriter & { close(): void | Promise<void> }>;
  close(): void;
}

/**
 * Opens a version of the collection for reading, creating it empty where it is missing. As for `openReadSide`,
 * `onEmptied` is told.
 */
export async function openSearchReader(
  config: SearchConfig,
  version: number,
  onEmptied?: () => void,
): Promise<SearchReader & { readonly parked: ParkedEvents; readonly counted: Counted; close(): Promise<void> }> {
  const server = typesenseOf(config, version);
  if (server === null)
    return openSqliteSearchReader({ file: fileOf(config.dataDir, { name: "search", version }), onEmptied });
  const { openTypesenseSearchReader } = await import("./typesenseAdapters.js");
  return prefixWithSetting("TYPESENSE_URL", openTypesenseSearchReader(server));
}

/** Opens the engine for the projection of one thread, under a lease of this name where it needs one. */
export async function openSearchProjecting(
  config: SearchConfig,
  onFailure: (error: unknown) => void,
  leaseName = "search",
  leaseTiming?: LeaseTiming,
): Promise<SearchProjecting> {
  if (config.typesenseUrl === null) {
    const writer = async (version: number) =>
      openSqliteSearchIndexWriter({ file: fileOf(config.dataDir, { name: "search", version }), analyse, onFailure });
    return { lease: null, writer, close: () => undefined };
  }
  const { openTypesenseSearchIndexWriter } = await import("./typesenseAdapters.js");
  const { lease, close } = await openLease(config, leaseName, leaseTiming);
  return {
    lease,
    writer: (version, grant) =>
      openTypesenseSearchIndexWriter({
        ...(typesenseOf(config, version) as TypesensePlace),
        analyse,
        onFailure,
        ...(grant !== null && { heldUntil: () => grant.heldUntil() }),
      }),
    close,
  };
}

/** Without Redis the read models are in the data folder, which all processes then share. */
async function openLease(
  { dataDir, namespace, redisUrl: url }: SearchConfig,
  name: string,
  leaseTiming: LeaseTiming | undefined,
): Promise<{ readonly lease: Lease; close(): void }> {
  if (url !== null) {
    const { openRedisReadModelStores } = await import("./redisAdapters.js");
    const redis = await prefixWithSetting("REDIS_URL", openRedisReadModelStores({ url, namespace, leaseTiming }));
    return { lease: redis.lease(name), close: () => redis.close() };
  }
  const lease = openFileLease(dataFiles(dataDir).leases, name, leaseTiming);
  return { lease, close: () => lease.close() };
}

/** A lease among the processes of one machine. */
export const openFileLease = (file: string, name: string, timing?: LeaseTiming): Lease & { close(): void } =>
  openSqliteLease({ file, name, ...(timing && { timing }) });

interface TypesensePlace {
  readonly url: string;
  readonly apiKey: string;
  readonly namespace: string;
}

/** null: the collection is embedded. */
export function typesenseOf(
  { typesenseUrl: url, typesenseApiKey: apiKey, namespace }: SearchConfig,
  version: number,
): TypesensePlace | null {
  return url === null || apiKey === null
    ? null
    : { url, apiKey, namespace: namespaceOf(namespace, { name: "search", version }) };
}
