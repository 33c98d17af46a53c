import type { Logger } from "pino";
import { catalogue } from "../../../projections/catalogue/project.js";
import { credentials } from "../../../projections/credentials/project.js";
import { groupClosure } from "../../../projections/groupClosure/project.js";
import type {
  ContentEraser,
  ContentReader,
  EventSource,
  Lease,
  LeaseGrant,
  Projection,
  ProjectionWriter,
} from "../../../projections/ports.js";
import { createPermissionHistoryWriter } from "../../../projections/permissionHistory/permissionHistoryWriter.js";
import { permissionHistory } from "../../../projections/permissionHistory/project.js";
import { analyse } from "../../../projections/search/prepareDocuments.js";
import { searchProjection } from "../../../projections/search/project.js";
import { createSearchWriter } from "../../../projections/search/searchWriter.js";
import { openSqlitePermissionHistoryStore } from "../../adapters/permissionHistory/sqlite/openSqlitePermissionHistoryStore.js";
import { openSqliteSearchIndexWriter } from "../../adapters/search/sqlite/openSqliteSearchIndexWriter.js";
import type { LeaseTiming } from "../../adapters/leases/leaseTiming.js";
import type { ReadModelName } from "../../events/projection.js";
import { PrincipalTokens } from "../../shared/principalTokens.js";
import { positionBefore } from "../../shared/readUpTo.js";
import { dataFiles } from "../dataFiles.js";
import { openLogForProjections } from "../eventLogEngine.js";
import { historyFile } from "../localHistory.js";
import { OpenParts } from "../openParts.js";
import { projectAndLog, type OnProjectionError } from "../projectorGroup.js";
import type { ProjectorConfig } from "../projectors.js";
import { openReadModelProjecting, placeOf, type SmallReadModelName } from "../readModelEngine.js";
import { openFileLease, openSearchProjecting } from "../searchEngine.js";
import { fileOf } from "../versionPlaces.js";

/** What projects into one version, whichever is served. */
export interface VersionBuilder {
  /** One process at a time builds. */
  readonly lease: Lease;
  /** Projects until the signal aborts; `onCaughtUp` is told whenever the end of the log was reached. */
  project(version: number, grant: LeaseGrant, progress: BuildProgress): Promise<void>;
  readonly source: EventSource;
  close(): Promise<void>;
}

export interface BuildProgress {
  readonly signal: AbortSignal;
  onCaughtUp(): void;
}

/** How a version is built. */
export interface BuildPace {
  /** Events of one batch; {@link batchSizeOf} where left out. */
  readonly maxBatchSize?: number;
  /** So long a transaction of the embedded search index stays open: that much a death costs, and that often progress shows. */
  readonly holdsMs?: number;
  /** Of the lease under which it is built; its own default serves. */
  readonly leaseTiming?: LeaseTiming;
}

export interface VersionBuilderOptions extends BuildPace {
  readonly logger: Logger;
  readonly onProjectionError?: OnProjectionError;
}

/**
 * Events of one batch: little enough to give way to others in between. A document's takes a hundred times what
 * another's does; an engine on its own machine is asked several things for each batch.
 */
const batchSizeOf = (name: ReadModelName, { typesenseUrl }: ProjectorConfig): number =>
  name !== "search" ? 1_000 : typesenseUrl === null ? 200 : 500;
/** A rebuild of the group closure commits every few seconds: that much a death costs, and that often progress shows. */
const limits = { changes: 500_000, people: 100_000 };

/** Opens the engines for building versions of a read model in this thread. */
export function openVersionBuilder(
  name: ReadModelName,
  config: ProjectorConfig,
  options: VersionBuilderOptions,
): Promise<VersionBuilder> {
  const { logger, maxBatchSize = batchSizeOf(name, config), leaseTiming, onProjectionError } = options;
  return OpenParts.orRelease(async (parts) => {
    const log = parts.add(await openLogForProjections(config), (part) => part.close());
    const head = parts.add(log.source(), (part) => part.close());
    const openWriter = await openVersionWriters(name, { config, contents: log.contents, parts, maxBatchSize, options });
    return {
      lease:
        openWriter.lease ??
        parts.add(openFileLease(dataFiles(config.dataDir).leases, leaseOf(name), leaseTiming), (part) => part.close()),
      source: head,
      project: async (version, grant, { signal, onCaughtUp }) => {
        const { projection, writer, close } = await openWriter.open(version, openWriter.lease === null ? null : grant);
        const source = log.source({ batches: true });
        try {
          await projectAndLog(
            {
              projection,
              writer,
              source: tellingCaughtUp(source, onCaughtUp),
              version,
              signal,
              maxBatchSize,
              onProjectionError,
            },
            logger.child({ version }),
          );
        } finally {
          await close();
        }
      },
      close: () => parts.release(),
    };
  });
}

const leaseOf = (name: ReadModelName): string => `rebuild-${name}`;

interface OpenedWriter<Change = unknown> {
  readonly projection: Projection<Change>;
  readonly writer: ProjectionWriter<Change>;
  close(): unknown;
}

interface VersionWriters {
  /** null: the engine has none of its own. */
  readonly lease: Lease | null;
  open(version: number, grant: LeaseGrant | null): Promise<OpenedWriter>;
}

interface WriterParts {
  readonly config: ProjectorConfig;
  readonly contents: ContentReader & ContentEraser;
  readonly parts: OpenParts;
  readonly maxBatchSize: number;
  readonly options: VersionBuilderOptions;
}

async function openVersionWriters(
  name: ReadModelName,
  { config, contents, parts, maxBatchSize, options }: WriterParts,
): Promise<VersionWriters> {
  if (name === "search") return openSearchWriters(config, contents, parts, options);
  return name === "permissionHistory"
    ? openHistoryWriters(config, maxBatchSize * batchesHeldBack)
    : openSmallWriters(name, config, contents, parts, options.leaseTiming);
}

/** Of the permission history: a few seconds' work. */
const batchesHeldBack = 50;

/** In the data folder, whatever the engines are. */
const openHistoryWriters = ({ dataDir }: ProjectorConfig, mostHeldBack: number): VersionWriters => ({
  lease: null,
  open: async (version) => {
    const store = openSqlitePermissionHistoryStore({ file: historyFile(dataDir, version) });
    return paired(permissionHistory, createPermissionHistoryWriter(store, mostHeldBack), () => store.close());
  },
});

async function openSearchWriters(
  config: ProjectorConfig,
  contents: ContentReader,
  parts: OpenParts,
  { logger, holdsMs = 2_000, leaseTiming }: VersionBuilderOptions,
): Promise<VersionWriters> {
  const onFailure = (error: unknown): void =>
    logger.error({ err: error }, "Following up a change of a datasource failed; the next write tries again.");
  const engine = parts.add(await openSearchProjecting(config, onFailure, leaseOf("search"), leaseTiming), (part) =>
    part.close(),
  );
  const tokens = new PrincipalTokens(config.namespace);
  return {
    lease: engine.lease,
    open: async (version, grant) => {
      const file = fileOf(config.dataDir, { name: "search", version });
      const index =
        config.typesenseUrl === null
          ? openSqliteSearchIndexWriter({ file, analyse, onFailure, holdsMs })
          : await engine.writer(version, grant);
      return paired(searchProjection, createSearchWriter({ index, contents, tokens }), () => index.close());
    },
  };
}

async function openSmallWriters(
  name: SmallReadModelName,
  config: ProjectorConfig,
  eraser: ContentEraser,
  parts: OpenParts,
  leaseTiming: LeaseTiming | undefined,
): Promise<VersionWriters> {
  const engine = parts.add(await openReadModelProjecting(config, leaseOf(name), leaseTiming), (part) => part.close());
  return {
    lease: engine.lease,
    open: async (version, grant) => {
      const writers = engine.writers(placeOf(config, { name, version }), grant, {
        eraser,
        ...(engine.lease === null && { limits }),
      });
      const close = (): void => writers.close();
      if (name === "groupClosure") return paired(groupClosure, writers.groupClosure, close);
      return name === "catalogue"
        ? paired(catalogue, writers.catalogue, close)
        : paired(credentials, writers.credentials, close);
    },
  };
}

/** What a projection makes goes to its own writer and nowhere else, so its type need not be known any further. */
const paired = <Change>(
  projection: Projection<Change>,
  writer: ProjectionWriter<Change>,
  close: () => unknown,
): OpenedWriter => ({ projection, writer, close }) as unknown as OpenedWriter;

type ClosableSource = EventSource & { close(): void | Promise<void> };

/** Told whenever everything that is in the log has been applied. */
function tellingCaughtUp(source: ClosableSource, onCaughtUp: () => void): ClosableSource {
  return {
    head: () => source.head(),
    close: () => source.close(),
    before: (position) => positionBefore(source, position),
    async *subscribe(request) {
      for await (const batch of source.subscribe(request)) {
        yield batch;
        // Here the batch has been applied: whoever subscribes asks for the next one after that.
        if (batch.caughtUp) onCaughtUp();
      }
    },
  };
}
