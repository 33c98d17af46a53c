import type { ContentEraser, EventSource, Lease, LeaseGrant, ParkedEvents } from "../../projections/ports.js";
import type { AccessReader, CatalogueReader, Counted, CredentialReader } from "../../queries/ports.js";
import type { LeaseTiming } from "../adapters/leases/leaseTiming.js";
import { openSqliteReadModels } from "../adapters/store/sqlite/openSqliteReadModels.js";
import type { HoldingLimits } from "../../projections/groupClosure/groupClosureWriter.js";
import type { Config } from "../config.js";
import type { ReadModelName } from "../events/projection.js";
import { PrincipalTokens } from "../shared/principalTokens.js";
import { dataFiles } from "./dataFiles.js";
import { prefixWithSetting } from "./prefixWithSetting.js";
import { openSqliteReadModelWriters } from "./openSqliteReadModelWriters.js";
import { createReadModelWriters, type ReadModelWriters } from "./readModelWriters.js";
import { fileOf, namespaceOf, type ReadModelVersion } from "./versionPlaces.js";

/** What the read models of access, catalogue and credentials need to know of the settings. */
export type ReadModelConfig = Pick<Config, "dataDir" | "namespace" | "redisUrl">;

/** The read models that lie together in their first version: a place of theirs can hold all of them. */
export type SmallReadModelName = Exclude<ReadModelName, "search" | "permissionHistory">;

export interface ReadModelReaders {
  readonly access: AccessReader;
  readonly catalogue: CatalogueReader;
  readonly credentials: CredentialReader;
  readonly parked: ParkedEvents;
  readonly counted: Counted;
  close(): void;
}

export interface ReadModelProjecting {
  /** null: the engine's own checkpoints keep several processes from harming each other. */
  readonly lease: Lease | null;
  /** The writers of a place, for as long as the grant holds (null where there is no lease). */
  writers(place: string, grant: LeaseGrant | null, options: WritingOptions): ReadModelWriters & { close(): void };
  close(): void;
}

export interface WritingOptions {
  readonly eraser: ContentEraser;
  /** How much of a catch-up the group closure holds back; the engine's own default serves. */
  readonly limits?: HoldingLimits;
}

/** What names the place of a version: a file, or a namespace of Redis. */
export const placeOf = ({ dataDir, namespace, redisUrl }: ReadModelConfig, version: ReadModelVersion): string =>
  redisUrl === null ? fileOf(dataDir, version) : namespaceOf(namespace, version);

/** The place of the first versions, and of what a reaction remembers. */
export const firstPlaceOf = ({ dataDir, namespace, redisUrl }: ReadModelConfig): string =>
  redisUrl === null ? dataFiles(dataDir).readModels : namespace;

/** Opens a place for point reads, empty where nothing was projected yet. `source` tells how far the log goes. */
export async function openReadModelReaders(
  { redisUrl }: ReadModelConfig,
  place: string,
  source: EventSource,
): Promise<ReadModelReaders> {
  if (redisUrl === null) return openSqliteReadModels({ file: place });
  const { openRedisReadModels } = await import("./redisAdapters.js");
  return prefixWithSetting(
    "REDIS_URL",
    openRedisReadModels({ url: redisUrl, namespace: place, logHead: () => source.head() }),
  );
}

/** Opens the engine for the projections of one thread, under a lease of this name where it has one. */
export async function openReadModelProjecting(
  { namespace, redisUrl }: ReadModelConfig,
  leaseName = "readModels",
  leaseTiming?: LeaseTiming,
): Promise<ReadModelProjecting> {
  const tokens = new PrincipalTokens(namespace);
  if (redisUrl === null) {
    return {
      lease: null,
      writers: (file, _grant, options) => openSqliteReadModelWriters({ file, tokens, ...options }),
      close: nothingToClose,
    };
  }
  const { openRedisReadModelStores, redisHoldingLimits } = await import("./redisAdapters.js");
  const redis = await prefixWithSetting(
    "REDIS_URL",
    openRedisReadModelStores({ url: redisUrl, namespace, leaseTiming }),
  );
  return {
    lease: redis.lease(leaseName),
    writers: (place, grant, options) => {
      if (grant === null) throw new Error("Read models in Redis are written under a lease.");
      const stores = redis.stores(grant, place);
      return {
        ...createReadModelWriters(stores, { tokens, limits: redisHoldingLimits, ...options }),
        close: () => stores.close(),
      };
    },
    close: () => redis.close(),
  };
}

const nothingToClose = (): void => undefined;
