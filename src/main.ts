import type { Logger } from "pino";
import type { Commands } from "../commands/commands.js";
import type { EventSource } from "../projections/ports.js";
import type { AuditQueries } from "./audit/auditQueries.js";
import type { AuditExport } from "./audit/export/auditExport.js";
import { readEvents } from "./operations/events/readEvents.js";
import type { Undo } from "./operations/undo/undo.js";
import type { Verification } from "./operations/verify/verification.js";
import type { Queries } from "../queries/queries.js";
import { openAuditSide } from "./composition/auditSide.js";
import { openDocumentIntake } from "./composition/documentIntake.js";
import { projectedHere } from "./composition/duties.js";
import { knowsHistory } from "./composition/duties.js";
import { followProjections } from "./composition/followProjections.js";
import { foldGroupGraphs } from "./composition/foldGroupGraphs.js";
import { OpenParts } from "./composition/openParts.js";
import type { ProjectionFeed } from "./composition/projectionFeed.js";
import { startProjectorThreads } from "./composition/projectorThreads.js";
import { startProjectors, type ProjectorGroupName } from "./composition/projectors.js";
import { caughtUpFirst, openPermissionHistoryReader } from "./composition/permissionHistoryReader.js";
import { openPastSearch } from "./composition/pastSearch.js";
import { openOperatorSide } from "./composition/operatorSide.js";
import { openReadSide } from "./composition/readSide.js";
import { offlineRebuilds, startRebuilds, type OfflineRebuilds } from "./composition/rebuild/rebuilds.js";
import { startTextSweeps } from "./composition/sweepTexts.js";
import { overviewOf, ProjectionStatuses } from "./operations/status/projectionStatuses.js";
import { untilReached } from "./composition/untilReached.js";
import { openWriteSide } from "./composition/writeSide.js";
import type { Config } from "./config.js";
import type { Position } from "./shared/position.js";
import { createApp } from "./http/app.js";
import type { ProjectionOverview } from "./http/ports.js";
import { acceptOperator } from "./http/operatorCredential.js";
import { startServer } from "./http/server.js";
import type { WhatIf } from "./audit/whatIf/http/trial.js";

/** How long a write's answer waits for the read models of access and catalogue before it leaves anyway. */
const settleMs = 1_000;
/** How long read models may stand still before a program that waits for them gives up: longer than any batch takes. */
const standstillMs = 60_000;

/** A service that answers requests. */
export interface RunningService {
  /** `http://host:port`, with the port that was really bound. */
  readonly url: string;
  /**
   * Resolves once everything that was in the log at the start is served, and the first command will not wait: when `GET
   * /health/ready` turns 200.
   */
  readonly ready: Promise<void>;
  /** Finishes what is in flight, commits, and releases every file and thread. */
  stop(): Promise<void>;
}

/** What a service may be started with besides its settings. */
export interface ServiceOptions {
  /** Whoever sends it as a personal key is this process's operator. Left out: nobody is. */
  readonly operatorCredential?: string;
}

/**
 * Starts the service on the engines and in the role that the settings name: HTTP, commands and queries, and the
 * projections in threads of their own. Rejects, with everything released again, where the address cannot be had, a file
 * cannot be opened or an engine cannot be reached.
 */
export function startService(
  config: Config,
  logger: Logger,
  { operatorCredential }: ServiceOptions = {},
): Promise<RunningService> {
  return OpenParts.orRelease(async (parts) => {
    const onEmptied = (): void =>
      logger.warn(
        "The search index was made by another version of this program. It is rebuilt from the log; searches find more and more until it is ready.",
      );
    const writeSide = parts.add(await openWriteSide(config), (part) => part.close());
    const followed = parts.add(await followProjections(writeSide.streams, writeSide.source, logger), (part) =>
      part.stop(),
    );
    const { feed } = followed;
    const statuses = parts.add(new ProjectionStatuses(config, writeSide.source, feed, logger), (part) => part.close());
    const readSide = parts.add(
      await openReadSide(config, {
        source: writeSide.source,
        feed,
        logger,
        ...(config.role !== "api" && { onEmptied }),
      }),
      (part) => part.close(),
    );
    // Once everything has been opened: what cannot be had is to be said once and in a sentence.
    parts.add(startProjectorThreads(config, feed, logger, statuses.noteProjectionError), (part) => part.stop());
    if (projectedHere(config).length > 0)
      parts.add(
        startRebuilds({
          config,
          feed,
          logger,
          commands: writeSide.commands,
          readSide,
          onProjectionError: statuses.noteProjectionError,
        }),
        (part) => part.stop(),
      );
    if (config.role !== "projector" && writeSide.textSweep !== null)
      parts.add(startTextSweeps(writeSide.textSweep, logger), (part) => part.stop());
    const history = parts.add(openPermissionHistoryReader(config, { source: writeSide.source, feed, logger }), (part) =>
      part.close(),
    );
    const pastSearch = parts.add(openPastSearch(config, feed), (part) => part.close());
    const intake = parts.add(openDocumentIntake(config), (part) => part.close());
    const auditSide = openAuditSide(config, { writeSide, readSide, history, pastSearch, intake });
    // A key that somebody has named is looked at before an auditor needs it.
    if (config.auditSigningKeyFile !== null && config.role !== "projector") await auditSide.auditExport.publicKey();
    const operatorSide = parts.add(
      await openOperatorSide(config, { writeSide, readSide, feed, history, audit: auditSide.audit }),
      (part) => part.close(),
    );
    const headAtStart = await writeSide.source.head();
    let foldedGraphs = false;
    const app = createApp({
      commands: writeSide.commands,
      queries:
        operatorCredential === undefined ? readSide.queries : acceptOperator(readSide.queries, operatorCredential),
      ...auditSide,
      eventLog: { read: (selection, signal) => readEvents(writeSide.source, selection, signal) },
      projections: overviewOf(statuses, followed),
      ...operatorSide,
      intake,
      config,
      logger,
      progress: async () => {
        const { projections, bulk_removals: removals } = await statuses.list();
        const readModels = {
          ...(await readSide.positions()),
          ...(knowsHistory(config) && { permissionHistory: await history.clock.position() }),
        };
        return {
          log: await writeSide.source.head(),
          readModels,
          projections,
          bulkRemovals: (knowsHistory(config) ? removals?.length : null) ?? null,
        };
      },
      isReady: async () => foldedGraphs && (await readSide.hasReached(headAtStart, 0)),
      settle: async (position) => void (await readSide.settle(position, settleMs)),
    });
    const server = await startServer(app, config);
    const stopping = new AbortController();
    const becomeReady = async (): Promise<void> => {
      await untilReached(headAtStart, readSide.hasReached, { signal: stopping.signal });
      if (config.role !== "projector")
        await foldGroupGraphs(writeSide.foldGroupGraph, readSide.queries, stopping.signal);
      foldedGraphs = true;
    };
    const ready = becomeReady();
    return {
      url: server.url,
      ready,
      stop: async () => {
        stopping.abort();
        await server.stop();
        await ready;
        await parts.release();
      },
    };
  });
}

/** The service without HTTP: what the command line works with. */
export interface OfflineService extends OfflineRebuilds {
  readonly commands: Commands;
  readonly queries: Queries;
  readonly audit: AuditQueries;
  readonly auditExport: AuditExport;
  readonly verification: Verification;
  readonly undo: Undo;
  readonly whatIf: WhatIf;
  readonly source: EventSource;
  /** Which versions of read models there are, as the log goes on. */
  readonly projections: ProjectionFeed;
  /** Where projections stand. */
  readonly overview: ProjectionOverview;
  /**
   * Projects what the log holds by now, so that the queries answer as of now. Safe beside a running server. Rejects,
   * with a clause that says so, where the read models stand still for a minute.
   */
  catchUp(): Promise<void>;
  /**
   * How far the permission history has come, and where the log ends: the first question about the past waits for it.
   */
  historyProgress(): Promise<{ readonly position: Position; readonly head: Position }>;
  /**
   * Projects what the log holds by now, and goes on for as long as `work` takes, beside a running server or not: what
   * it asks of projections is done. Rejects as `catchUp` does.
   */
  projecting<Value>(work: () => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
}

/** Opens the write side and the read models of a data folder without HTTP, for the command line. */
export function openOffline(config: Config, logger: Logger): Promise<OfflineService> {
  return OpenParts.orRelease(async (parts) => {
    const writeSide = parts.add(await openWriteSide(config), (part) => part.close());
    const { commands, source } = writeSide;
    const followed = parts.add(await followProjections(writeSide.streams, source, logger), (part) => part.stop());
    const { feed } = followed;
    const statuses = parts.add(new ProjectionStatuses(config, source, feed, logger), (part) => part.close());
    const readSide = parts.add(await openReadSide(config, { source, feed, logger }), (part) => part.close());
    const telling = { feed, logger, onProjectionError: statuses.noteProjectionError };
    const projectWhile = async (group: ProjectorGroupName, wait: () => Promise<void>): Promise<void> => {
      const projectors = await startProjectors(group, config, telling);
      await wait().finally(() => projectors.stop());
    };
    const projected = parts.add(openPermissionHistoryReader(config, { source, feed, logger }), (part) => part.close());
    let isProjecting = false;
    const history = caughtUpFirst(projected, async () => {
      // What is paused stands still, and answers for the moments that it has come to.
      if (feed.of("permissionHistory").paused) return;
      const caughtUp = async (): Promise<void> =>
        untilReached(await source.head(), (position, timeoutMs) => projected.clock.reached(position, timeoutMs), {
          standstillMs,
        });
      // A transaction that one projector of this thread leaves open for a while is nothing that another could wait for.
      await (isProjecting ? caughtUp() : projectWhile("permissionHistory", caughtUp));
    });
    const pastSearch = parts.add(openPastSearch(config, feed), (part) => part.close());
    const auditSide = openAuditSide(config, {
      writeSide,
      readSide,
      history,
      pastSearch,
      intake: parts.add(openDocumentIntake(config), (part) => part.close()),
    });
    const operatorSide = parts.add(
      await openOperatorSide(config, { writeSide, readSide, feed, history, audit: auditSide.audit }),
      (part) => part.close(),
    );
    return {
      commands,
      queries: readSide.queries,
      ...auditSide,
      ...operatorSide,
      source,
      projections: feed,
      catchUp: () =>
        projectWhile("readModels", async () => untilReached(await source.head(), readSide.settle, { standstillMs })),
      projecting: async (work) => {
        const groups = await Promise.all(
          (["search", "readModels", "permissionHistory"] as const).map((group) =>
            startProjectors(group, config, telling),
          ),
        );
        isProjecting = true;
        try {
          await untilReached(await source.head(), readSide.hasReached, { standstillMs });
          return await work();
        } finally {
          isProjecting = false;
          await Promise.all(groups.map((group) => group.stop()));
        }
      },
      historyProgress: async () => ({ position: await projected.clock.position(), head: await source.head() }),
      overview: overviewOf(statuses, followed),
      ...offlineRebuilds({
        config,
        commands,
        completeComparison: readSide.completeComparison,
        ...telling,
      }),
      close: () => parts.release(),
    };
  });
}
