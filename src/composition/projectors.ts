import type { Logger } from "pino";
import { catalogue } from "../../projections/catalogue/project.js";
import { contentErasure } from "../../projections/contentErasure/project.js";
import { credentials } from "../../projections/credentials/project.js";
import { groupClosure } from "../../projections/groupClosure/project.js";
import type { Projection, ProjectionWriter } from "../../projections/ports.js";
import { runProjection } from "../../projections/runProjection.js";
import { analyse } from "../../projections/search/prepareDocuments.js";
import { searchProjection } from "../../projections/search/project.js";
import { createSearchWriter } from "../../projections/search/searchWriter.js";
import { openSqliteContents } from "../adapters/eventLog/sqlite/openSqliteContents.js";
import { openSqliteEventSource } from "../adapters/eventLog/sqlite/openSqliteEventSource.js";
import { openSqliteSearchIndexWriter } from "../adapters/searchIndex/sqlite/openSqliteSearchIndexWriter.js";
import { PrincipalTokens } from "../shared/principalTokens.js";
import { dataFiles } from "./dataFiles.js";
import { openSqliteReadModelWriters } from "./openSqliteReadModelWriters.js";

/** Projections that share a thread, so that none of them waits for another's slow batch. */
export type ProjectorGroup = "search" | "readModels";

/** What projections need to know of the settings. */
export interface ProjectorConfig {
  readonly dataDir: string;
  readonly namespace: string;
}

/** A group of projections at work. */
export interface RunningProjectors {
  /** Finishes the batch at hand, saves its checkpoint and releases the files. */
  stop(): Promise<void>;
}

const maxBatchSize = 1_000;
const retryDelayMs = 1_000;

/** Starts the projections of a group in this thread. */
export function startProjectors(group: ProjectorGroup, config: ProjectorConfig, logger: Logger): RunningProjectors {
  return group === "search" ? startSearch(config, logger) : startReadModels(config, logger);
}

function startSearch(config: ProjectorConfig, logger: Logger): RunningProjectors {
  const files = dataFiles(config.dataDir);
  const contents = openSqliteContents({ file: files.log });
  const index = openSqliteSearchIndexWriter({
    file: files.search,
    analyse,
    onFailure: (error) => logger.error({ err: error }, "Following up a change of a datasource failed; the next write tries again."),
  });
  const projector = new Projector(files.log, logger);
  projector.start(searchProjection, createSearchWriter({ index, contents, tokens: new PrincipalTokens(config.namespace) }), { gathers: true });
  return projector.closing(index, contents);
}

function startReadModels(config: ProjectorConfig, logger: Logger): RunningProjectors {
  const files = dataFiles(config.dataDir);
  const contents = openSqliteContents({ file: files.log });
  const tokens = new PrincipalTokens(config.namespace);
  const writers = openSqliteReadModelWriters({ file: files.readModels, tokens, eraser: contents });
  const projector = new Projector(files.log, logger);
  projector.start(groupClosure, writers.groupClosure);
  projector.start(catalogue, writers.catalogue);
  projector.start(credentials, writers.credentials);
  projector.start(contentErasure, writers.contentErasure, { gathers: true });
  return projector.closing(writers, contents);
}

interface Closable {
  close(): void | Promise<void>;
}

/** Runs projections over one log until they are stopped. */
class Projector {
  private readonly stopping = new AbortController();
  private readonly runs: Promise<void>[] = [];
  private readonly sources: Closable[] = [];

  constructor(
    private readonly logFile: string,
    private readonly logger: Logger,
  ) {}

  start<Change>(projection: Projection<Change>, writer: ProjectionWriter<Change>, reading: { readonly gathers?: boolean } = {}): void {
    const logger = this.logger.child({ projection: projection.name });
    const source = openSqliteEventSource({ file: this.logFile, ...reading });
    this.sources.push(source);
    const run = runProjection({
      projection,
      writer,
      source,
      signal: this.stopping.signal,
      maxBatchSize,
      retryDelayMs,
      onParked: ({ position, stream, eventType, scope, error }) =>
        logger.error({ position: position.toString(), stream, eventType, scope, error }, "An event was parked; its scope fails closed."),
      onFailure: (error) => logger.error({ err: error }, "A projection waits for its engine and will try again."),
    });
    this.runs.push(run);
  }

  closing(...resources: readonly Closable[]): RunningProjectors {
    return {
      stop: async () => {
        this.stopping.abort();
        await Promise.all(this.runs);
        for (const resource of [...this.sources, ...resources]) await resource.close();
      },
    };
  }
}
