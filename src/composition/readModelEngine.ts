import type { ContentEraser, EventSource, Lease, LeaseGrant } from "../../projections/ports.js";
import type { AccessReader, CatalogueReader, CredentialReader } from "../../queries/ports.js";
import { openRedisReadModels } from "../adapters/readStore/redis/openRedisReadModels.js";
import { openRedisReadModelStores, redisHoldingLimits } from "../adapters/readStore/redis/openRedisReadModelStores.js";
import { openSqliteReadModels } from "../adapters/readStore/sqlite/openSqliteReadModels.js";
import type { Config } from "../config.js";
import { PrincipalTokens } from "../shared/principalTokens.js";
import { dataFiles } from "./dataFiles.js";
import { namedAfter } from "./namedAfter.js";
import { openSqliteReadModelWriters } from "./openSqliteReadModelWriters.js";
import { createReadModelWriters, type ReadModelWriters } from "./readModelWriters.js";

/** What the read models of access, catalogue and credentials need to know of the settings. */
export type ReadModelConfig = Pick<Config, "dataDir" | "namespace" | "redisUrl">;

export interface ReadModelReaders {
  readonly access: AccessReader;
  readonly catalogue: CatalogueReader;
  readonly credentials: CredentialReader;
  close(): void;
}

export interface ReadModelProjecting {
  /** null: the engine's own checkpoints keep several processes from harming each other. */
  readonly lease: Lease | null;
  /** The writers, for as long as the grant holds (null where there is no lease). */
  writers(grant: LeaseGrant | null, eraser: ContentEraser): ReadModelWriters & { close(): void };
  close(): void;
}

/** Opens the read models for point reads, empty where nothing was projected yet. `source` tells how far the log goes. */
export async function openReadModelReaders({ dataDir, namespace, redisUrl }: ReadModelConfig, source: EventSource): Promise<ReadModelReaders> {
  if (redisUrl === null) return openSqliteReadModels({ file: dataFiles(dataDir).readModels });
  return namedAfter("REDIS_URL", openRedisReadModels({ url: redisUrl, namespace, logHead: () => source.head() }));
}

/** Opens the read models for the projections of one thread. */
export async function openReadModelProjecting({ dataDir, namespace, redisUrl }: ReadModelConfig): Promise<ReadModelProjecting> {
  const tokens = new PrincipalTokens(namespace);
  if (redisUrl === null) {
    const { readModels: file } = dataFiles(dataDir);
    return { lease: null, writers: (_grant, eraser) => openSqliteReadModelWriters({ file, tokens, eraser }), close: nothingToClose };
  }
  const redis = await namedAfter("REDIS_URL", openRedisReadModelStores({ url: redisUrl, namespace }));
  return {
    lease: redis.lease("readModels"),
    writers: (grant, eraser) => {
      if (grant === null) throw new Error("Read models in Redis are written under a lease.");
      return { ...createReadModelWriters(redis.stores(grant), { tokens, eraser, limits: redisHoldingLimits }), close: nothingToClose };
    },
    close: () => redis.close(),
  };
}

const nothingToClose = (): void => undefined;
