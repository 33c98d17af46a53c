import { join } from "node:path";
import { catalogueReadModel } from "../../projections/catalogue/readModel.js";
import { contentErasureReaction } from "../../projections/contentErasure/readModel.js";
import { credentialsReadModel } from "../../projections/credentials/readModel.js";
import { groupClosureReadModel } from "../../projections/groupClosure/readModel.js";
import { permissionHistoryReadModel } from "../../projections/permissionHistory/readModel.js";
import type { EventSource, Lease, LeaseTiming, ProjectionErrors } from "../../projections/ports.js";
import { analyse } from "../../projections/search/prepareDocuments.js";
import type { SearchIndexWriter } from "../../projections/search/ports.js";
import { searchReadModel } from "../../projections/search/readModel.js";
import { sqlitePermissionHistoryStorage } from "../adapters/permissionHistory/sqlite/sqlitePermissionHistoryStorage.js";
import { sqliteSearchStorage, type SqliteSearchStorageOptions } from "../adapters/search/sqlite/sqliteSearchStorage.js";
import { openSqliteProjectionErrors } from "../adapters/sqlite/openSqliteProjectionErrors.js";
import type { OnSetAside } from "../adapters/sqlite/setAside.js";
import { openSqliteLease } from "../adapters/sqlite/sqliteLease.js";
import type { RedisStorages } from "../adapters/store/redis/redisStorages.js";
import { sqliteStorages } from "../adapters/store/sqlite/sqliteStorages.js";
import type { Checkpointed, SearchReader } from "../../queries/ports.js";
import type { PastSearchReader } from "../audit/ports/pastSearch.js";
import type { Config } from "../config.js";
import { openEmbedder, type EmbeddingSettings } from "./embedder.js";
import type { Storage } from "../daemon/ports.js";
import { readModelOf, type ReadModel } from "../daemon/readModel.js";
import { provableHistory, provableReadModel } from "../operations/verify/provableReadModel.js";
import type { Position } from "../shared/position.js";
import { ThreadWatch } from "../shared/restartedWorker.js";

/** What read models need to know of the settings. */
type ReadModelsConfig = Pick<
  Config,
  "dataDir" | "namespace" | "redisUrl" | "typesenseUrl" | "typesenseApiKey" | "consistencyTimeoutMs" | "searchBudgetMs"
> &
  EmbeddingSettings;

interface ReadModelsOptions {
  /** Tells how far the log goes. */
  logHead(): Promise<Position>;
  /** The same as of `EventSource`. */
  holds: EventSource["holds"];
  /**
   * Called where a search index that another version of the program has made was emptied; left out: it is read as it
   * is.
   */
  onEmptied?(): void;
  /** Called where a file that holds nothing that lasts was damaged, and was made anew. */
  readonly onSetAside?: OnSetAside;
  /** Called with the reason why vectors could not be made; they are tried again. Left out: nobody hears of it. */
  onEmbedderFailure?(error: unknown): void;
  /** Called where a thread of readers ends, and when it is back. */
  readonly threads?: ThreadWatch;
}

/** Every read model and reaction, each in the engine that a setting names for it, by its name. */
export type ReadModelRegistry = ReturnType<typeof openReadModels>;

/**
 * The registry. Nothing is opened before somebody uses one of them. docs/extending.md tells what else a new projection
 * touches.
 */
export function openReadModels(config: ReadModelsConfig, options: ReadModelsOptions) {
  const store = openStore(config, options);
  const { threads = new ThreadWatch() } = options;
  const search = searchStorage(config, store.openLease, {
    ...{ onEmptied: options.onEmptied, threads },
    openEmbedder: () => openEmbedder(config, "passages", options.onEmbedderFailure),
  });
  const history = sqlitePermissionHistoryStorage({
    ...{ dataDir: config.dataDir, patienceMs: config.consistencyTimeoutMs, logHead: () => options.logHead() },
    threads,
  });
  const anything = "probe" as never;
  const readModels = {
    search: readModelOf(searchReadModel, search, {
      probe: (reader) => reader.find(anything, anything),
      provable: provableReadModel("search"),
    }),
    groupClosure: readModelOf(groupClosureReadModel, store.groupClosure, {
      probe: (reader) => reader.isParked(anything),
      provable: provableReadModel("access"),
    }),
    catalogue: readModelOf(catalogueReadModel, store.catalogue, {
      probe: (reader) => reader.find(anything),
      provable: provableReadModel("catalogue"),
    }),
    credentials: readModelOf(credentialsReadModel, store.credentials, {
      probe: (reader) => reader.find(anything),
      provable: provableReadModel("credentials"),
    }),
    permissionHistory: readModelOf(permissionHistoryReadModel, history, {
      probe: (reader) => reader.position(),
      provable: provableHistory((reader) => ({ history: reader.history(), clock: reader.clock })),
    }),
    contentErasure: readModelOf(contentErasureReaction, store.contentErasure, {
      probe: (reader) => reader.position(),
      provable: null,
    }),
  };
  const all = Object.values<ReadModel>(readModels);
  return {
    ...readModels,
    all,
    named: (name: string): ReadModel | null => all.find((readModel) => readModel.name === name) ?? null,
    /** Whether all processes of a log share the data folder. */
    sharesFolder: store.sharesFolder,
    errors: store.errors,
    fileLease: store.fileLease,
    close: store.close,
  };
}

/** Leases among the processes of one folder, in a file that holds nothing that lasts. */
const fileLeases =
  ({ dataDir }: ReadModelsConfig, onSetAside?: OnSetAside) =>
  (name: string, timing?: LeaseTiming): Lease & { close(): void } =>
    openSqliteLease({ file: join(dataDir, "leases.sqlite"), name, onSetAside, ...(timing && { timing }) });

/** What may lie in Redis. */
const inStore = {
  groupClosure: groupClosureReadModel,
  catalogue: catalogueReadModel,
  credentials: credentialsReadModel,
};

/** The engine of access, catalogue and credentials, with what processes that share it tell each other there. */
function openStore(config: ReadModelsConfig, { logHead, holds, onSetAside }: ReadModelsOptions) {
  const { redisUrl: url, namespace, dataDir } = config;
  const fileLease = fileLeases(config, onSetAside);
  if (url === null)
    return {
      ...sqliteStorages({ dataDir }),
      fileLease,
      openLease: async (name: string, timing?: LeaseTiming) => fileLease(name, timing),
      errors: async (): Promise<ProjectionErrors> =>
        openSqliteProjectionErrors({ file: join(dataDir, "troubles.sqlite"), onSetAside }),
      sharesFolder: true,
      close: async () => undefined,
    };
  let loaded: Promise<RedisStorages> | null = null;
  const redis = (): Promise<RedisStorages> =>
    (loaded ??= import("../adapters/store/redis/redisStorages.js").then(({ redisStorages }) =>
      redisStorages({
        ...{ url, namespace, logHead },
        holds: (name, checkpoint) => holds(checkpoint, inStore[name].projection.categories),
      }),
    ));
  return {
    groupClosure: loadedWhenUsed(async () => (await redis()).groupClosure),
    catalogue: loadedWhenUsed(async () => (await redis()).catalogue),
    credentials: loadedWhenUsed(async () => (await redis()).credentials),
    contentErasure: loadedWhenUsed(async () => (await redis()).contentErasure),
    fileLease,
    openLease: async (name: string, timing?: LeaseTiming) => (await redis()).openLease(name, timing),
    errors: async () => (await redis()).errors(),
    sharesFolder: false,
    close: async () => (await loaded)?.close(),
  };
}

function searchStorage(
  { dataDir, namespace, typesenseUrl: url, typesenseApiKey: apiKey, searchBudgetMs: budgetMs }: ReadModelsConfig,
  openLease: (name: string, timing?: LeaseTiming) => Promise<Lease & { close(): void }>,
  embedded: Pick<SqliteSearchStorageOptions, "onEmptied" | "threads" | "openEmbedder">,
): Storage<SearchIndexWriter, SearchReader & PastSearchReader> {
  if (url === null || apiKey === null) return sqliteSearchStorage({ dataDir, analyse, budgetMs, ...embedded });
  return loadedWhenUsed(async () => {
    const { typesenseSearchStorage } = await import("../adapters/search/typesense/typesenseSearchStorage.js");
    return typesenseSearchStorage({
      ...{ server: { url, apiKey }, namespace, analyse, openLease },
      openEmbedder: () => embedded.openEmbedder(),
    });
  });
}

/**
 * A storage whose code is loaded when it is used first: a client of an engine takes longer to load than a thread that
 * does not need it takes to start.
 */
const loadedWhenUsed = <Store, Reader extends Checkpointed>(
  load: () => Promise<Storage<Store, Reader>>,
): Storage<Store, Reader> => ({
  placement: "shared",
  openReader: async (version) => (await load()).openReader(version),
  openStores: async (options) => (await load()).openStores(options),
  facts: async (version) => (await load()).facts(version),
  checkpoint: async (version) => (await load()).checkpoint(version),
  // The engines that are loaded so are not files.
  identity: () => null,
  isDamaged: async () => false,
  setAside: async (version, identity) => (await load()).setAside(version, identity),
  drop: async (version) => (await load()).drop(version),
});
