import type { Logger } from "pino";
import {
  type LeaseGrant,
  type EventSource,
  type LeaseTiming,
  EngineUnavailable,
  type ProjectionWriter,
} from "../../projections/ports.js";
import type { ReadModelDefinition, WriterServices } from "../../projections/readModel.js";
import type { Checkpointed } from "../../queries/ports.js";
import { projectionKinds, type ProjectionName } from "../events/projection.js";
import type { Checkpoint } from "../events/eventSource.js";
import type { StreamCategory } from "../events/streams.js";
import type { Provable } from "../operations/verify/provable.js";
import type {
  Building,
  FolderPlacement,
  OpenedReader,
  OpenedStores,
  Storage,
  VersionFacts,
  OpenedStore,
} from "./ports.js";
import { type OnProjectionError, projectAndLog, type ProjectionStart } from "./projectAndLog.js";
import { isDamage } from "../shared/failures.js";

/** What one projection is started with, in a thread that has opened its engine. */
interface ProjectingRun extends Omit<WriterServices, "buildingBatch"> {
  readonly version: number;
  readonly grant: LeaseGrant | null;
  /** Closed when the projection ends. */
  readonly source: EventSource & { close(): void | Promise<void> };
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly onProjectionError?: OnProjectionError;
  /** null: the version is served. */
  readonly building: (Building & { readonly maxBatchSize?: number }) | null;
  /** The same as in {@link OpenedStores}. */
  readonly earlier: number | null;
}

/** The engine of a read model, opened for its projection in this thread. */
export interface OpenedProjecting extends Pick<OpenedStores<unknown>, "lease" | "close"> {
  /** Projects into a version until the signal aborts. */
  project(run: ProjectingRun): Promise<void>;
}

/**
 * A read model, or a reaction, as the runtime knows it: everything there is to do with one, whatever its name and its
 * engine. Nothing else knows its changes and its store.
 */
export interface ReadModel<Reader extends Checkpointed = Checkpointed> {
  readonly name: ProjectionName;
  /** A reaction does something once: it has one version, and nobody asks it anything. */
  readonly kind: "readModel" | "reaction";
  readonly group: string;
  readonly batchesEvents: boolean;
  /** What its projection reads. */
  readonly categories: readonly StreamCategory[];
  readonly placement: "shared" | FolderPlacement;
  openReader(version: number): Promise<OpenedReader<Reader>>;
  openProjecting(options: {
    readonly leaseName: string;
    readonly leaseTiming?: LeaseTiming;
    readonly logger: Logger;
  }): Promise<OpenedProjecting>;
  facts(version: number): Promise<VersionFacts>;
  /** The checkpoint of the {@link Storage}. */
  checkpoint(version: number): Promise<Checkpoint>;
  identity(version: number): string | null;
  setAside(version: number, identity: string | null): Promise<string | null>;
  isDamaged(version: number, signal: AbortSignal): Promise<boolean>;
  drop(version: number): Promise<void>;
  /** Asks one small question, to see that a reader answers. */
  probe(reader: Reader): Promise<unknown>;
  /**
   * How versions are compared with the log and with each other; null: only the amounts that versions hold are compared,
   * and nothing with the log.
   */
  readonly provable: Provable<Reader> | null;
}

/** What a read model is besides its projection and its storage. */
interface ReaderChecks<Reader> {
  /** Asks one small question, to see that a reader answers. */
  probe(reader: Reader): Promise<unknown>;
  /** The same as in {@link ReadModel}. */
  readonly provable: Provable<Reader> | null;
}

/** Puts a read model together. */
export function readModelOf<Change, Store, Reader extends Checkpointed>(
  { name, projection, group, batchesEvents, createWriter }: ReadModelDefinition<Change, Store>,
  storage: Storage<Store, Reader>,
  asking: ReaderChecks<NoInfer<Reader>>,
): ReadModel<Reader> {
  const { categories } = projection;
  return {
    ...{ name, kind: projectionKinds[name], group, batchesEvents, categories },
    ...asking,
    placement: storage.placement,
    openReader: (version) => storage.openReader(version),
    facts: (version) => storage.facts(version),
    checkpoint: (version) => storage.checkpoint(version),
    identity: (version) => storage.identity(version),
    setAside: (version, identity) => storage.setAside(version, identity),
    isDamaged: (version, signal) => storage.isDamaged(version, signal),
    drop: (version) => storage.drop(version),
    openProjecting: async ({ logger, ...options }) => {
      const onFailure = (error: unknown): void =>
        logger.error({ err: error }, "Following up a change of a datasource failed; the next write tries again.");
      const stores = await storage.openStores({ ...options, onFailure });
      return {
        lease: stores.lease,
        close: () => stores.close(),
        project: ({ version, grant, building, earlier, logger: runLogger, ...run }) => {
          const maxBatchSize = building === null ? undefined : (building.maxBatchSize ?? stores.buildingBatch);
          return projectIntoStorage(
            { ...run, projection, version, maxBatchSize },
            {
              storage,
              open: () => stores.open(version, stores.lease === null ? null : grant, building, earlier),
              writerOf: (store) => createWriter(store, { ...run, buildingBatch: maxBatchSize ?? null }),
            },
            runLogger,
          );
        },
      };
    },
  };
}

/** A projection that is to run; its writer is made for each storage anew. */
interface StorageProjecting<Change> extends Omit<ProjectionStart<Change>, "writer"> {
  readonly version: number;
}

/** Where it writes to. */
interface ProjectedStorage<Change, Store> {
  readonly storage: Pick<Storage<Store, never>, "checkpoint" | "identity" | "setAside">;
  open(): Promise<OpenedStore<Store>>;
  writerOf(store: Store): ProjectionWriter<Change>;
}

/** How often is looked whether another process has set the storage aside. */
const lookMs = 1_000;

/** Why a storage is left. */
type Ending = "stopped" | "replaced" | "ofAnotherLog" | "damaged";

const sentences = {
  ofAnotherLog:
    "What was projected belongs to another log than the one that is read, or the log has gone back in time. It is set aside, and rebuilt from the log.",
  damaged: "A file of the read models is damaged. It is set aside, and rebuilt from the log.",
} as const;

/**
 * Projects into a version's storage until the signal aborts. Before it follows the log, at the start and after every
 * failure, it makes sure that this is the log whose events the storage holds. Where it is not, or where the storage is
 * damaged, that one is set aside and another one is filled from the beginning.
 */
async function projectIntoStorage<Change, Store>(
  start: StorageProjecting<Change>,
  place: ProjectedStorage<Change, Store>,
  logger: Logger,
): Promise<void> {
  const { source, signal, projection, version } = start;
  try {
    while (!signal.aborted) {
      const { ending, identity } = await projectUntilReplaced(start, place, logger);
      if (ending === "stopped") return;
      if (ending === "replaced") continue;
      const kept = await place.storage.setAside(version, identity);
      logger.error({ projection: projection.name, version, kept }, sentences[ending]);
    }
  } finally {
    await source.close();
  }
}

async function projectUntilReplaced<Change, Store>(
  start: StorageProjecting<Change>,
  { storage, open, writerOf }: ProjectedStorage<Change, Store>,
  logger: Logger,
): Promise<{ readonly ending: Ending; readonly identity: string | null }> {
  const { source, signal, projection, version } = start;
  const identityBefore = storage.identity(version);
  let opened: Identified<OpenedStore<Store>>;
  try {
    opened = await openIdentified(storage, version, open);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { ending: "damaged", identity: identityBefore };
  }
  const { identity } = opened;
  const leaving = new AbortController();
  let ending: Ending = "stopped";
  const leave = (why: Ending): void => {
    if (!leaving.signal.aborted) ending = why;
    leaving.abort();
  };
  const look = setInterval(() => storage.identity(version) !== identity && leave("replaced"), lookMs);
  const tellDamage = (error: unknown): void => void (isDamage(error) && leave("damaged"));
  const assertSameLog = async (): Promise<void> => {
    const checkpoint = await telling(storage.checkpoint(version), tellDamage);
    if (await source.holds(checkpoint, projection.categories)) return;
    leave("ofAnotherLog");
    throw new Error(sentences.ofAnotherLog);
  };
  try {
    await projectAndLog(
      {
        ...start,
        writer: watched(writerOf(opened.store), tellDamage),
        source: checkedFirst(source, assertSameLog),
        signal: AbortSignal.any([signal, leaving.signal]),
      },
      logger,
    );
  } finally {
    clearInterval(look);
    await closed(opened, logger);
  }
  return { ending: signal.aborted ? "stopped" : ending, identity };
}

/** What a damaged storage cannot save any more when it is closed is projected anew. */
async function closed(opened: OpenedStore<unknown>, logger: Logger): Promise<void> {
  try {
    await opened.close();
  } catch (error) {
    if (!isDamage(error)) throw error;
    logger.warn({ err: error }, "A damaged file could not be closed in order.");
  }
}

/** The log, once it is known that it is the right one. */
const checkedFirst = (source: EventSource, check: () => Promise<void>): EventSource & { close(): void } => ({
  head: () => source.head(),
  holds: (checkpoint, categories) => source.holds(checkpoint, categories),
  // The caller that has opened it closes it.
  close: () => undefined,
  ...(source.before !== undefined && { before: (position) => source.before?.(position) ?? Promise.resolve(position) }),
  async *subscribe(request) {
    await check();
    yield* source.subscribe(request);
  },
});

/** A writer whose failures are told. */
const watched = <Change>(
  writer: ProjectionWriter<Change>,
  onFailure: (error: unknown) => void,
): ProjectionWriter<Change> => ({
  checkpoint: () => telling(writer.checkpoint(), onFailure),
  apply: (batch) => telling(writer.apply(batch), onFailure),
});

/** No event is at fault for a damaged storage. */
async function telling<Value>(outcome: Promise<Value>, onFailure: (error: unknown) => void): Promise<Value> {
  try {
    return await outcome;
  } catch (error) {
    onFailure(error);
    throw isDamage(error) ? new EngineUnavailable((error as Error).message, { cause: error }) : error;
  }
}

/**
 * Opens a version, and tells which storage was opened. One that is put in its place meanwhile, or that was missing, is
 * opened once more: the identity of the other one would hide for good that they were exchanged.
 */
export async function openIdentified<Opened extends { close(): Promise<void> | void }>(
  storage: Pick<Storage<never, never>, "identity">,
  version: number,
  open: () => Promise<Opened>,
): Promise<Identified<Opened>> {
  for (;;) {
    const identity = storage.identity(version);
    const opened = await open();
    if (storage.identity(version) === identity) return { ...opened, identity };
    await opened.close();
  }
}

/** What was opened, and which storage it is. */
export type Identified<Opened> = Opened & {
  /** The identity that `Storage.identity` gives. */
  readonly identity: string | null;
};
