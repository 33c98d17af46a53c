import type { CatalogueStore } from "../../../../projections/catalogue/ports.js";
import type { ErasureStore } from "../../../../projections/contentErasure/ports.js";
import type { CredentialChange } from "../../../../projections/credentials/changes.js";
import type { GroupClosureStore } from "../../../../projections/groupClosure/ports.js";
import type { Lease, LeaseTiming, ProjectionErrors, ProjectionWriter } from "../../../../projections/ports.js";
import type { AccessReader, CatalogueReader, Checkpointed, CredentialReader } from "../../../../queries/ports.js";
import type { Storage } from "../../../daemon/ports.js";
import { firstVersion, type ProjectionName } from "../../../events/projection.js";
import type { Checkpoint } from "../../../events/landmark.js";
import { beginning, type Position } from "../../../shared/position.js";
import { prefixWithSetting } from "../../../shared/prefixWithSetting.js";
import { SharedOpenings } from "../../../shared/sharedOpenings.js";
import { openRedisProjectionErrors } from "../../redis/openRedisProjectionErrors.js";
import { dropRedisNamespace, dropRedisReadModel, type EmptiedReadModel } from "./dropRedisReadModel.js";
import { openRedisProjectionFacts, type RedisProjectionFacts } from "./openRedisProjectionFacts.js";
import { openRedisReadModels, type RedisReadModels } from "./openRedisReadModels.js";
import { servedReadModelNames } from "./servedState.js";
import {
  openRedisReadModelStores,
  type RedisProjecting,
  type RedisReadModelStores,
} from "./openRedisReadModelStores.js";

export interface RedisStoragesOptions {
  readonly url: string;
  readonly namespace: string;
  /** Tells how far the log goes. */
  logHead(): Promise<Position>;
  /** Whether the log is the one that a projection has followed up to here. */
  holds(projection: ProjectionName, checkpoint: Checkpoint): Promise<boolean>;
}

/** The storages of one Redis, with its leases. */
export interface RedisStorages {
  readonly groupClosure: Storage<GroupClosureStore, AccessReader>;
  readonly catalogue: Storage<CatalogueStore, CatalogueReader>;
  readonly credentials: Storage<ProjectionWriter<CredentialChange>, CredentialReader>;
  readonly contentErasure: Storage<ErasureStore, Checkpointed>;
  /** A lease on a connection of its own. */
  openLease(name: string, timing?: LeaseTiming): Promise<Lease & { close(): void }>;
  /** What projections could not go on for, as all processes tell it there. */
  errors(): ProjectionErrors;
  /** Ends what was connected to look at where projections stand. */
  close(): Promise<void>;
}

/** Recent errors are worth only a short wait. */
const errorsConnectTimeoutMs = 1_000;

/**
 * In Redis: the first versions together in the tenant's namespace, each further one in a namespace of its own. A
 * tenant's name has no dot, so that no tenant's is taken for another one's version. What lies in one namespace shares a
 * connection, and so does all that is projected under leases of one name.
 */
export function redisStorages(options: RedisStoragesOptions): RedisStorages {
  const redis = new SharedRedis(options);
  return {
    groupClosure: storageIn(redis, {
      ...{ name: "groupClosure", emptied: "groupClosure" },
      storeOf: (stores) => stores.groupClosure,
      readerOf: ({ access }) => access,
    }),
    catalogue: storageIn(redis, {
      ...{ name: "catalogue", emptied: "catalogue" },
      storeOf: (stores) => stores.catalogue,
      readerOf: ({ catalogue }) => catalogue,
    }),
    credentials: storageIn(redis, {
      ...{ name: "credentials", emptied: "credentials" },
      storeOf: (stores) => stores.credentials,
      readerOf: ({ credentials }) => credentials,
    }),
    contentErasure: storageIn(redis, {
      ...{ name: "contentErasure", emptied: null },
      storeOf: (stores) => stores.contentErasure,
      readerOf: () => redis.checkpointOf("contentErasure"),
    }),
    openLease: async (name, timing) => {
      const opened = await redis.connect();
      return Object.assign(opened.lease(name, timing), { close: () => opened.close() });
    },
    errors: () =>
      openRedisProjectionErrors({
        ...{ url: options.url, namespace: options.namespace, connectTimeoutMs: errorsConnectTimeoutMs },
      }),
    close: () => redis.close(),
  };
}

interface StoredReadModel<Store, Reader> {
  readonly name: ProjectionName;
  /** What is emptied where the first version is dropped; null: a reaction, which has no other version. */
  readonly emptied: EmptiedReadModel | null;
  storeOf(stores: RedisReadModelStores): Store;
  readerOf(readModels: RedisReadModels): Reader;
}

/** Connections that storages share. */
class SharedRedis {
  readonly readers;
  readonly projecting;
  private looking: Promise<RedisProjectionFacts> | null = null;

  constructor(readonly place: RedisStoragesOptions) {
    const { url } = place;
    this.readers = new SharedOpenings(
      (namespace) => orNamed(openRedisReadModels({ url, namespace, logHead: () => this.headOfSameLog(namespace) })),
      (opened) => opened.close(),
    );
    this.projecting = new SharedOpenings(
      () => this.connect(),
      (opened) => opened.close(),
    );
  }

  connect(): Promise<RedisProjecting> {
    const { url, namespace } = this.place;
    return orNamed(openRedisReadModelStores({ url, namespace }));
  }

  /** Where projections stand. What cannot be connected is tried again at the next look. */
  look(): Promise<RedisProjectionFacts> {
    const { url, namespace } = this.place;
    const connecting = (this.looking ??= openRedisProjectionFacts({ url, namespace }));
    connecting.catch(() => (this.looking = this.looking === connecting ? null : this.looking));
    return connecting;
  }

  /** How far the log goes. Rejects where a namespace holds what another log says: then nothing is answered from it. */
  private async headOfSameLog(namespace: string): Promise<Position> {
    const looking = await this.look();
    for (const name of servedReadModelNames)
      if (!(await this.place.holds(name, await looking.checkpoint(namespace, name))))
        throw new Error(`Redis holds of ${name} what another log says than the one that is read.`);
    return this.place.logHead();
  }

  checkpointOf(projection: ProjectionName): Checkpointed {
    const position = async (): Promise<Position> =>
      (await (await this.look()).read(this.place.namespace, projection)).position;
    return { position, reached: async (wanted) => (await position()) >= wanted };
  }

  async close(): Promise<void> {
    (await this.looking?.catch(() => null))?.close();
  }
}

const orNamed = <Opened>(opening: Promise<Opened>): Promise<Opened> => prefixWithSetting("REDIS_URL", opening);

function storageIn<Store, Reader extends Checkpointed>(
  redis: SharedRedis,
  { name, emptied, storeOf, readerOf }: StoredReadModel<Store, Reader>,
): Storage<Store, Reader> {
  const { url, namespace } = redis.place;
  const placeOf = (version: number): string =>
    version === firstVersion || emptied === null ? namespace : `${namespace}.${name}-${version}`;
  return {
    placement: "shared",
    openReader: async (version) => {
      const { opened, release } = await redis.readers.take(placeOf(version));
      return { reader: readerOf(opened), parked: opened.parked, counted: opened.counted, close: release };
    },
    openStores: async ({ leaseName, leaseTiming }) => {
      const { opened, release } = await redis.projecting.take(leaseName);
      return {
        lease: opened.lease(leaseName, leaseTiming),
        buildingBatch: 1_000,
        open: async (version, grant) => {
          if (grant === null) throw new Error("Read models in Redis are written under a lease.");
          const stores = opened.stores(grant, placeOf(version));
          return { store: storeOf(stores), close: () => stores.close() };
        },
        close: release,
      };
    },
    facts: async (version) => {
      const { bytes, ...facts } = await (await redis.look()).read(placeOf(version), name);
      return { ...facts, size: bytes === null ? null : { amount: bytes, unit: "bytes" } };
    },
    checkpoint: async (version) => (await redis.look()).checkpoint(placeOf(version), name),
    identity: () => null,
    setAside: async (version) => {
      const looking = await redis.look();
      // Where another read model of the namespace was set aside, this one was as well.
      if ((await looking.checkpoint(placeOf(version), name)).position > beginning)
        await looking.leave(placeOf(version));
      return null;
    },
    drop: async (version) => {
      if (version !== firstVersion) await dropRedisNamespace({ url, namespace: placeOf(version) });
      else if (emptied !== null) await dropRedisReadModel({ url, namespace, readModel: emptied });
    },
  };
}
