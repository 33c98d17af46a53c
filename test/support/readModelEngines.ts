import type { ParkedEvents } from "../../projections/ports.js";
import type { AccessReader, CatalogueReader, Counted, CredentialReader } from "../../queries/ports.js";
import { openReadModelWriters, type WriterSettings } from "./readModelWriters.js";
import { groupClosureRows, type GroupClosureRows } from "./readModelRows.js";
import { dropNamespace, redisGroupClosureRows } from "./redisRows.js";
import { holdProjecting, readRedis, writersOn, type RedisPlace } from "./redisReadModels.js";
import { anyRedisUrl, describeOnAnyRedis } from "./redisServer.js";
import { openTemporaryReadModels } from "./temporaryReadModels.js";
import { newNamespace } from "./newNamespace.js";
import type { ReadModelWriters } from "./writersOverStores.js";

/** Fresh read models of one test, open for writing and for reading. */
export interface ReadModelsUnderTest {
  readonly readers: {
    readonly access: AccessReader;
    readonly catalogue: CatalogueReader;
    readonly credentials: CredentialReader;
    readonly parked: ParkedEvents;
    readonly counted: Counted;
  };
  readonly writers: ReadModelWriters;
  /** As a process does that ends and is started again. */
  restartWriters(): Promise<void>;
  /** Writers of another process, which know nothing of what these remember. */
  openOtherWriters(): Promise<{ readonly writers: ReadModelWriters; close(): void }>;
  groupClosureRows(): Promise<GroupClosureRows>;
  /** The file, or the namespace on a server. */
  readonly place: { readonly file: string } | RedisPlace;
  close(): Promise<void>;
}

/** An engine that can hold the read models. */
export interface ReadModelEngine {
  /** A suite with the engine in its title; skipped where the engine is not to be had. */
  describe(suite: () => void): void;
  open(settings?: WriterSettings): Promise<ReadModelsUnderTest>;
}

/** Every engine of the read models: what holds of one has to hold of all. */
export const readModelEngines: readonly ReadModelEngine[] = [
  { describe: (suite) => void describe("on SQLite", suite), open: openOnSqlite },
  { describe: (suite) => describeOnAnyRedis("on Redis", suite), open: openOnRedis },
];

async function openOnSqlite(settings?: WriterSettings): Promise<ReadModelsUnderTest> {
  const readModels = openTemporaryReadModels(settings);
  return {
    readers: readModels.readers,
    get writers() {
      return readModels.writers;
    },
    restartWriters: async () => readModels.restartWriters(),
    openOtherWriters: async () => {
      const writers = openReadModelWriters(readModels.file);
      return { writers, close: () => writers.close() };
    },
    groupClosureRows: () => groupClosureRows(readModels.file),
    place: { file: readModels.file },
    close: async () => readModels.close(),
  };
}

/** Read models in a namespace of their own. */
export async function openOnRedis(settings?: WriterSettings): Promise<ReadModelsUnderTest> {
  const place = { url: await anyRedisUrl(), namespace: newNamespace() };
  let held = await holdProjecting(place, settings);
  const readers = await readRedis(place);
  return {
    readers,
    get writers() {
      return held.writers;
    },
    restartWriters: async () => {
      await held.grant.release();
      held.projecting.close();
      held = await holdProjecting(place, settings);
    },
    openOtherWriters: async () => ({ writers: writersOn(held.projecting.stores(held.grant)), close: () => undefined }),
    place,
    groupClosureRows: () => redisGroupClosureRows(place, held.stores.groupClosure),
    close: async () => {
      readers.close();
      await held.grant.release();
      held.projecting.close();
      await dropNamespace(place);
    },
  };
}
