import type { CatalogueStore } from "../../../../projections/catalogue/ports.js";
import type { ErasureStore } from "../../../../projections/contentErasure/ports.js";
import type { CredentialChange } from "../../../../projections/credentials/changes.js";
import type { GroupClosureStore } from "../../../../projections/groupClosure/ports.js";
import type { Lease, LeaseGrant, LeaseTiming, ProjectionWriter } from "../../../../projections/ports.js";
import { openRedis } from "../../redis/openRedis.js";
import type { RedisConnection, RedisOptions } from "../../redis/redisConnection.js";
import { RedisLease } from "../../redis/redisLease.js";
import { RedisLeaseGrant } from "../../redis/redisLeaseGrant.js";
import { RedisCatalogueStore } from "./catalogueStore.js";
import { RedisCredentialWriter } from "./credentialWriter.js";
import { RedisErasureStore } from "./erasureStore.js";
import { RedisGroupClosureStore } from "./groupClosureStore.js";
import { StoreSession } from "./storeSession.js";

export interface RedisReadModelStores {
  readonly groupClosure: GroupClosureStore;
  readonly catalogue: CatalogueStore;
  readonly credentials: ProjectionWriter<CredentialChange>;
  readonly contentErasure: ErasureStore;
}

export interface RedisReadModelStoresOptions extends RedisOptions {
  readonly leaseTiming?: LeaseTiming;
}

/** A Redis for projecting: its leases, and stores for the holder of one. */
export interface RedisProjecting {
  /** Leases of different names have nothing to do with each other. */
  lease(name: string, timing?: LeaseTiming): Lease;
  /**
   * Stores for as long as this grant holds. Each of their writes carries the grant, and is refused once somebody else
   * holds the lease. They are in the namespace of the leases, or in another one of this Redis.
   */
  stores(grant: LeaseGrant, namespace?: string): RedisReadModelStores & { close(): void };
  close(): void;
}

/**
 * Connects for projecting. Rejects with a sentence, in bounded time, where Redis cannot be had or the namespace is not
 * ours.
 */
export async function openRedisReadModelStores(options: RedisReadModelStoresOptions): Promise<RedisProjecting> {
  const connection = await openRedis(options);
  return {
    lease: (name, timing = options.leaseTiming) => new RedisLease(connection, options.namespace, name, timing),
    stores: (grant, namespace = options.namespace) => storesUnder(grant, connection, namespace),
    close: () => connection.close(),
  };
}

function storesUnder(
  grant: LeaseGrant,
  connection: RedisConnection,
  namespace: string,
): RedisReadModelStores & { close(): void } {
  if (!(grant instanceof RedisLeaseGrant)) throw new Error("Read models in Redis need a lease of the same Redis.");
  const session = new StoreSession(connection, namespace, grant);
  return {
    groupClosure: new RedisGroupClosureStore(session),
    catalogue: new RedisCatalogueStore(session),
    credentials: new RedisCredentialWriter(session),
    contentErasure: new RedisErasureStore(session),
    close: () => session.close(),
  };
}
