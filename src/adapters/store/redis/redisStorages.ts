import type { CatalogueStore, CatalogueBatch } from "../../../../projections/catalogue/ports.js";
import type { ErasureStore, ErasureBatch } from "../../../../projections/contentErasure/ports.js";
import type { CredentialChange } from "../../../../projections/credentials/changes.js";
import type { GroupClosureStore } from "../../../../projections/groupClosure/ports.js";
import type {
  Lease,
  LeaseTiming,
  ProjectionErrors,
  ProjectionWriter,
  ParkedEvents,
  LeaseGrant,
} from "../../../../projections/ports.js";
import type {
  AccessReader,
  CatalogueReader,
  Checkpointed,
  CredentialReader,
  Counted,
  Counts,
} from "../../../../queries/ports.js";
import type { Storage } from "../../../daemon/ports.js";
import { firstVersion } from "../../../events/projection.js";
import type { Checkpoint } from "../../../events/eventSource.js";
import { beginning, type Position } from "../../../shared/position.js";
import { prefixWithSetting } from "../../../shared/prefixWithSetting.js";
import { SharedOpenings } from "../../../shared/asyncDisposableStack.js";
import { openRedisProjectionErrors } from "../../redis/openRedisProjectionErrors.js";
import { openRedisProjectionFacts, type RedisProjectionFacts } from "./openRedisProjectionFacts.js";
import type { State } from "./servedState.js";
import {
  servedReadModelNames,
  type ServedReadModelName,
  type StoredProjectionName,
  partsOfReadModels,
} from "./rowKeys.js";
import { openRedis } from "../../redis/openRedis.js";
import { type RedisOptions, type RedisReply, type RedisConnection, keyOf } from "../../redis/redisConnection.js";
import { RedisAccessReader } from "./accessReader.js";
import { RedisCredentialReader } from "./credentialReader.js";
import { ReadSession } from "./readSession.js";
import type { Datasource } from "../../../events/datasource.js";
import { readStoredDatasource } from "../../../readModels/storedDatasource.js";
import { type DatasourceName, toDatasourceId, type DatasourceId } from "../../../shared/ids.js";
import { RedisLease, RedisLeaseGrant } from "../../redis/redisLease.js";
import { RedisCredentialWriter } from "./credentialWriter.js";
import { RedisGroupClosureStore } from "./groupClosureStore.js";
import { StoreSession } from "./storeSession.js";

interface RedisStoragesOptions {
  readonly url: string;
  readonly namespace: string;
  /** Tells how far the log goes. */
  logHead(): Promise<Position>;
  /** Whether the log is the one that a projection has followed up to here. */
  holds(projection: ServedReadModelName, checkpoint: Checkpoint): Promise<boolean>;
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
  readonly name: StoredProjectionName;
  /** What is emptied where the first version is dropped; null: a reaction, which has no other version. */
  readonly emptied: ServedReadModelName | null;
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

  checkpointOf(projection: StoredProjectionName): Checkpointed {
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
    isDamaged: async () => false,
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

interface RedisReadModels {
  readonly access: AccessReader;
  readonly catalogue: CatalogueReader;
  readonly credentials: CredentialReader;
  readonly parked: ParkedEvents;
  readonly counted: Counted;
}

interface RedisReadModelsOptions extends RedisOptions {
  /**
   * Position of the newest event in the log. It is asked for with the first question, and whenever Redis may have lost
   * what was served. Until Redis holds that much again, its readers answer with `ReadModelUnavailable`.
   */
  logHead(): Promise<Position>;
}

/**
 * Connects for reading. Rejects with a sentence, in bounded time, where Redis cannot be had or the namespace is not
 * ours.
 */
export async function openRedisReadModels(
  options: RedisReadModelsOptions,
): Promise<RedisReadModels & { close(): void }> {
  const connection = await openRedis(options);
  const session = new ReadSession(connection, options.namespace, () => options.logHead());
  await session.listen();
  return {
    access: new RedisAccessReader(session),
    catalogue: new RedisCatalogueReader(session),
    credentials: new RedisCredentialReader(session),
    parked: { list: (projection) => session.parked(projection) },
    counted: countsIn(session),
    close: () => session.close(),
  };
}

interface KnownCatalogue {
  readonly cacheEpoch: number;
  readonly version: string;
  readonly byName: ReadonlyMap<DatasourceName, Datasource>;
}

/** Holds the whole catalogue (tens of datasources), and reads it again when its version has changed. */
class RedisCatalogueReader implements CatalogueReader {
  private readonly progress: Checkpointed;
  private known: KnownCatalogue | null = null;

  constructor(private readonly session: ReadSession) {
    this.progress = session.progressOf("catalogue");
  }

  position(): Promise<Position> {
    return this.progress.position();
  }

  reached(position: Position, timeoutMs: number): Promise<boolean> {
    return this.progress.reached(position, timeoutMs);
  }

  async find(name: DatasourceName): Promise<Datasource | null> {
    return (await this.current()).get(name) ?? null;
  }

  async list(): Promise<readonly Datasource[]> {
    return [...(await this.current()).values()];
  }

  private async current(): Promise<ReadonlyMap<DatasourceName, Datasource>> {
    const state = await this.session.state("catalogue");
    if (this.known !== null && this.isOf(this.known, state)) return this.known.byName;
    return this.readAll(state);
  }

  /** Reads as of a moment of its own, which is not before the state's. */
  private async readAll({ store }: State): Promise<ReadonlyMap<DatasourceName, Datasource>> {
    const { state, replies } = await this.session.snapshot(store, ({ catalogue }) => [["HVALS", catalogue]]);
    if (state.store !== store) return this.current();
    await this.session.served.assertServable(state, "catalogue");
    const datasources = (replies[0] as readonly Buffer[]).map((json) => readStoredDatasource(String(json)));
    const byName = new Map(datasources.sort(inOrderOfNames).map((datasource) => [datasource.name, datasource]));
    this.known = { cacheEpoch: state.cacheEpoch, version: state.catalogue.version, byName };
    return byName;
  }

  private isOf(known: KnownCatalogue, state: State): boolean {
    return known.version === state.catalogue.version && known.cacheEpoch === state.cacheEpoch;
  }
}

/** Compares by code units: the same on every machine, whatever its locale. */
const inOrderOfNames = (a: Datasource, b: Datasource): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/**
 * Counts the fields of hashes, at the same cost whatever their length. What belongs to a deleted datasource goes with
 * it.
 */
const countsIn = (session: ReadSession): Counted => ({
  counts: async (projection): Promise<Counts> => {
    if (projection === "groupClosure") return countClosure(session);
    if (projection !== "catalogue" && projection !== "credentials") return {};
    const { store } = await session.state(projection);
    const counted = projection === "catalogue" ? (["catalogue"] as const) : (["credentials", "accounts"] as const);
    const { replies } = await session.snapshot(store, (keys) => counted.map((hash) => ["HLEN", keys[hash]]));
    const [first, second] = replies.map(Number);
    return projection === "catalogue"
      ? { datasources: first ?? 0 }
      : { credentials: first ?? 0, accounts: second ?? 0 };
  },
});

async function countClosure(session: ReadSession): Promise<Counts> {
  const { store } = await session.state("groupClosure");
  const { replies } = await session.snapshot(store, ({ datasources }) => [["HKEYS", datasources]]);
  const ids = (replies[0] as readonly Buffer[]).map((id) => toDatasourceId(String(id)));
  const { replies: lengths } = await session.snapshot(store, (keys) =>
    ids.flatMap((id) => [
      ["HLEN", keys.groups(id)],
      ["HLEN", keys.people(id)],
    ]),
  );
  return {
    datasources: ids.length,
    groups: sumOf(lengths.filter((_, place) => place % 2 === 0)),
    people: sumOf(lengths.filter((_, place) => place % 2 === 1)),
  };
}

const sumOf = (lengths: readonly RedisReply[]): number =>
  lengths.reduce<number>((sum, length) => sum + Number(length), 0);

export interface RedisReadModelStores {
  readonly groupClosure: GroupClosureStore;
  readonly catalogue: CatalogueStore;
  readonly credentials: ProjectionWriter<CredentialChange>;
  readonly contentErasure: ErasureStore;
}

interface RedisReadModelStoresOptions extends RedisOptions {
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

/** The catalogue's rows in Redis. */
class RedisCatalogueStore implements CatalogueStore {
  constructor(private readonly session: StoreSession) {}

  checkpoint(): Promise<Position> {
    return this.session.checkpoint("catalogue");
  }

  async find(datasourceId: DatasourceId): Promise<Datasource | null> {
    const { catalogue } = await this.session.keys();
    const json = await this.session.read(["HGET", catalogue, datasourceId]);
    return json === null ? null : readStoredDatasource(String(json));
  }

  async write(batch: CatalogueBatch): Promise<"applied" | "checkpointConflict"> {
    const { catalogue } = await this.session.keys();
    const written = batch.datasources.map((datasource) => [
      "HSET",
      catalogue,
      datasource.datasourceId,
      JSON.stringify(datasource),
    ]);
    const withdrawn = batch.withdrawn.map((datasourceId) => ["HDEL", catalogue, datasourceId]);
    return this.session.commit("catalogue", { ...batch, commands: [...written, ...withdrawn], journalEntry: null });
  }
}

/** What the erasure of texts remembers, in Redis. If that is lost, the reaction starts over, which does no damage. */
class RedisErasureStore implements ErasureStore {
  constructor(private readonly session: StoreSession) {}

  checkpoint(): Promise<Position> {
    return this.session.checkpoint("contentErasure");
  }

  async isClosed(datasourceId: DatasourceId): Promise<boolean> {
    const { closedIncarnations } = await this.session.keys();
    return (await this.session.read(["SISMEMBER", closedIncarnations, datasourceId])) === 1;
  }

  async write(batch: ErasureBatch): Promise<"applied" | "checkpointConflict"> {
    const { closedIncarnations } = await this.session.keys();
    return this.session.commit("contentErasure", {
      ...batch,
      commands: batch.closed.map((id) => ["SADD", closedIncarnations, id]),
      journalEntry: null,
    });
  }
}

const keysPerStep = 200;

/** Removes everything in a namespace. For a version that nobody serves or projects any more. */
const dropRedisNamespace = (options: RedisOptions): Promise<void> =>
  removeWhere(options, `${keyOf(options.namespace)}:*`, () => true);

/** Removes everything of a tenant: its namespace, and those of further versions, whose names continue with a dot. */
export async function dropRedisTenant(options: RedisOptions): Promise<void> {
  await dropRedisNamespace(options);
  await removeWhere(options, `${keyOf(`${options.namespace}.*`)}:*`, () => true);
}

/** Removes the rows of one read model from a namespace that holds others as well. Its checkpoint stays. */
function dropRedisReadModel({
  readModel,
  ...options
}: RedisOptions & { readonly readModel: ServedReadModelName }): Promise<void> {
  const rows = `${keyOf(options.namespace, "rows")}:`;
  return removeWhere(options, `${rows}*`, (key) =>
    (partsOfReadModels[readModel] as readonly string[]).includes(key.slice(rows.length).split(":")[1] ?? ""),
  );
}

async function removeWhere(options: RedisOptions, pattern: string, isMeant: (key: string) => boolean): Promise<void> {
  const connection = await openRedis(options);
  try {
    let cursor = "0";
    do {
      const [next, found] = await connection.text<[string, string[]]>([
        "SCAN",
        cursor,
        "MATCH",
        pattern,
        "COUNT",
        String(keysPerStep),
      ]);
      const meant = found.filter(isMeant);
      if (meant.length > 0) await connection.text(["UNLINK", ...meant]);
      cursor = next;
    } while (cursor !== "0");
  } finally {
    connection.close();
  }
}
