import type { Logger } from "pino";
import type { LeaseGrant, EventSource, LeaseTiming } from "../../projections/ports.js";
import type { ReadModelDefinition, WriterServices } from "../../projections/readModel.js";
import type { Checkpointed } from "../../queries/ports.js";
import { projectionKinds, type ProjectionName } from "../events/projection.js";
import type { Checkpoint } from "../events/landmark.js";
import type { StreamCategory } from "../events/streams.js";
import type { Provable } from "../operations/verify/provable.js";
import type { Building, FolderPlacement, OpenedReader, OpenedStores, Storage, VersionFacts } from "./ports.js";
import type { OnProjectionError } from "./projectAndLog.js";
import { projectIntoStorage } from "./projectIntoStorage.js";

/** What one projection is started with, in a thread that has opened its engine. */
export interface ProjectingRun extends Omit<WriterServices, "buildingBatch"> {
  readonly version: number;
  readonly grant: LeaseGrant | null;
  /** Closed when the projection ends. */
  readonly source: EventSource & { close(): void | Promise<void> };
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly onProjectionError?: OnProjectionError;
  /** null: the version is served. */
  readonly building: (Building & { readonly maxBatchSize?: number }) | null;
  /** As in {@link OpenedStores}. */
  readonly earlier: number | null;
}

/** The engine of a read model, opened for its projection in this thread. */
export interface OpenedProjecting extends Pick<OpenedStores<unknown>, "lease" | "close"> {
  /** Projects into a version until the signal aborts. */
  project(run: ProjectingRun): Promise<void>;
}

/**
 * A read model, or a reaction, as the runtime knows it: everything there is to do with one, whatever its name and its
 * engine. What its changes and its store look like is nobody else's business.
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
  /** As of {@link Storage}. */
  checkpoint(version: number): Promise<Checkpoint>;
  identity(version: number): string | null;
  setAside(version: number, identity: string | null): Promise<string | null>;
  drop(version: number): Promise<void>;
  /** Asks one small question, to see that a reader answers. */
  probe(reader: Reader): Promise<unknown>;
  /**
   * How versions are held against the log and against each other; null: of versions only how much they hold is compared,
   * and nothing is held against the log.
   */
  readonly provable: Provable<Reader> | null;
}

/** What a read model is besides its projection and its storage. */
export interface Asking<Reader> {
  /** Asks one small question, to see that a reader answers. */
  probe(reader: Reader): Promise<unknown>;
  /** As in {@link ReadModel}. */
  readonly provable: Provable<Reader> | null;
}

/** Puts a read model together. */
export function readModelOf<Change, Store, Reader extends Checkpointed>(
  { name, projection, group, batchesEvents, createWriter }: ReadModelDefinition<Change, Store>,
  storage: Storage<Store, Reader>,
  asking: Asking<NoInfer<Reader>>,
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
