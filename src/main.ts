import type { Logger } from "pino";
import { readEvents } from "./operations/events/readEvents.js";
import { openAuditSide } from "./composition/auditSide.js";
import { openDocumentIntake } from "./composition/documentIntake.js";
import { knowsHistory } from "./composition/duties.js";
import { followProjections } from "./composition/followProjections.js";
import { foldGroupGraphs } from "./composition/foldGroupGraphs.js";
import { OpenParts } from "./composition/openParts.js";
import { startProjectorThreads } from "./composition/projectorThreads.js";
import { openPermissionHistoryReader } from "./composition/permissionHistoryReader.js";
import { openPastSearch } from "./composition/pastSearch.js";
import { openOperatorSide } from "./composition/operatorSide.js";
import { openReadSide } from "./composition/readSide.js";
import { startRebuilds } from "./composition/rebuild/rebuilds.js";
import { startTextSweeps } from "./composition/sweepTexts.js";
import { overviewOf, ProjectionStatuses } from "./operations/status/projectionStatuses.js";
import { untilReached } from "./composition/untilReached.js";
import { openWriteSide } from "./composition/writeSide.js";
import type { Config } from "./config.js";
import { createApp } from "./http/app.js";
import { acceptOperator } from "./http/operatorCredential.js";
import { startServer } from "./http/server.js";

/** How long a write's answer waits for the read models of access and catalogue before it leaves anyway. */
const settleMs = 1_000;

/** A service that answers requests. */
export interface RunningService {
  /** `http://host:port`, with the port that was really bound. */
  readonly url: string;
  /**
   * Resolves once everything that was in the log at the start is served, and the first command will not wait: when `GET
   * /health/ready` turns 200.
   */
  readonly ready: Promise<void>;
  /** Resolves once what was dropped so far of versions that this process projects has been freed. */
  freed(): Promise<void>;
  /** Finishes what is in flight, commits, and releases every file and thread. */
  stop(): Promise<void>;
}

/** What a service may be started with besides its settings. */
export interface ServiceOptions {
  /** Whoever sends it as a personal key is this process's operator. Left out: nobody is. */
  readonly operatorCredential?: string;
  /** So long others that work on the same folder may begin what there is to rebuild before this process does. */
  readonly rebuildsBeginAfterMs?: number;
}

/**
 * Starts the service on the engines and in the role that the settings name: HTTP, commands and queries, and the
 * projections in threads of their own. Rejects, with everything released again, where the address cannot be had, a file
 * cannot be opened or an engine cannot be reached.
 */
export function startService(
  config: Config,
  logger: Logger,
  { operatorCredential, rebuildsBeginAfterMs = 0 }: ServiceOptions = {},
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
    const rebuilds = parts.add(
      startRebuilds({
        ...{ config, feed, logger, readSide },
        commands: writeSide.commands,
        beginAfterMs: rebuildsBeginAfterMs,
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
      freed: () => rebuilds.freed(),
      stop: async () => {
        stopping.abort();
        await server.stop();
        await ready;
        await parts.release();
      },
    };
  });
}
