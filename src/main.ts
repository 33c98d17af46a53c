import type { Logger } from "pino";
import type { PasswordHasher } from "../commands/ports.js";
import type { Config } from "./config.js";
import { followProjections, untilReached } from "./daemon/followProjections.js";
import type { Admitted } from "./daemon/admission.js";
import { ChatLimits } from "./chat/chatLimits.js";
import { isProjectedHere, type ProcessRole } from "./daemon/processRole.js";
import { startTextSweeps } from "./daemon/sweepTexts.js";
import { createApp } from "./http/app.js";
import type { AwaitedReadModel } from "./http/messages/health.js";
import { acceptOperator } from "./http/operatorCredential.js";
import { startServer, endlessPatience } from "./http/server.js";
import { features } from "./wiring/features.js";
import { openExtraction } from "./wiring/extraction.js";
import { openAuditSide } from "./wiring/auditSide.js";
import { FolderDisk } from "./adapters/files/dataDisk.js";
import { openDataFolder } from "./adapters/files/dataFolder.js";
import { keepFilesPrivate } from "./adapters/files/privateFolder.js";
import { openDocumentIntake } from "./adapters/documentIntake/documentIntake.js";
import { UploadFolder } from "./adapters/files/uploadFolder.js";
import { startFileExpiry } from "./daemon/expireFiles.js";
import { FollowedAgents } from "./daemon/followAgents.js";
import { FollowedFiles, ServedFiles } from "./daemon/uploadedFiles.js";
import { foldGroupGraphs } from "./daemon/foldGroupGraphs.js";
import { ConsistencyTokens } from "./shared/consistencyTokens.js";
import { disposeOnFailure, type AsyncDisposableStack } from "./shared/asyncDisposableStack.js";
import { openOperatorSide } from "./wiring/operatorSide.js";
import { projectingThreads, tellSetAside } from "./wiring/projecting.js";
import { openReadModels } from "./wiring/readModels.js";
import { openReadSide, type ReadSide } from "./wiring/readSide.js";
import { startPageChecks } from "./daemon/pageChecks.js";
import { startProjecting } from "./daemon/startProjecting.js";
import type { Position } from "./shared/position.js";
import { ThreadWatch } from "./shared/restartedWorker.js";
import { offerFirstAccount, openSignIn } from "./wiring/signIn.js";
import { startWatchdog } from "./watchdog/watchdog.js";
import { openWebAndChat } from "./wiring/webAndChat.js";
import { openWriteSide, type WriteSide } from "./wiring/writeSide.js";

/** How long a write's answer waits for the read models of access and catalogue before it leaves anyway. */
const longestWaitMs = 1_000;

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
  /** A personal key that makes its sender the operator of this process. Left out: there is none. */
  readonly operatorCredential?: string;
  /** Waits so many milliseconds before it rebuilds, so that other processes on the folder may begin first. */
  readonly rebuildsBeginAfterMs?: number;
  /** `find`: there has to be data in the data folder already; `make`, the default: the folder may begin empty. */
  readonly folder?: "make" | "find";
  /** Answers from what is there, also where it is behind the log: nobody may be there to bring it up to date. */
  readonly mayBeBehind?: boolean;
  /** Where nobody has an account, a link to make the first one is written into the program's log. */
  readonly offersFirstAccount?: boolean;
  /** False: files that have expired stay. For a process that may not have been told for how long they are kept. */
  readonly expiresFiles?: boolean;
  /** Ends the process where its main thread stands still, as `WATCHDOG_SECONDS` says. Left out: it is not watched. */
  readonly isWatched?: boolean;
  /** Waits for clients as long as they take: for a process whose only client is the one that has started it. */
  readonly isPatient?: boolean;
  /** Hashes passwords instead of argon2id at the cost that OWASP asks for. */
  readonly passwordHasher?: PasswordHasher;
}

/**
 * Starts the service on the engines and in the role that the settings name: HTTP, commands and queries, and the
 * projections in threads of their own. Whatever this process makes from here on is for its own user alone. Rejects,
 * with everything released again, where the address cannot be had, a file cannot be opened, an engine cannot be
 * reached, or with `UnusableDataFolder`.
 */
export function startService(
  config: Config,
  logger: Logger,
  {
    operatorCredential,
    folder = "make",
    offersFirstAccount = false,
    isWatched = false,
    isPatient = false,
    ...opening
  }: ServiceOptions = {},
): Promise<RunningService> {
  return disposeOnFailure(async (parts) => {
    keepFilesPrivate();
    openFolder(config, folder, logger);
    const service = await openService(config, logger, parts, opening);
    const { writeSide, readSide, auditSide, operatorSide, projecting, intake, threads, files, uploads, agents } =
      service;
    const { chat, webSearch, searchesWeb, signIn, lastUses } = service;
    const { queries } = readSide;
    const headAtStart = await writeSide.source.head();
    let foldedGraphs = false;
    const stopping = new AbortController();
    const watchdog = isWatched ? startWatchdog(config, logger) : null;
    if (watchdog !== null) parts.adopt(watchdog, (part) => part.stop());
    const disk = parts.adopt(new FolderDisk(config.dataDir, config.diskReserveBytes), (part) => part.stop());
    const app = createApp({
      ...(watchdog && { watchdog }),
      ...{ config, logger, features, commands: writeSide.commands, intake, files, uploads, agents, chat },
      ...{ webSearch, searchesWeb, signIn, lastUses, models: readSide.models },
      chatLimits: new ChatLimits(config.chatMaxConcurrent, config.chatMaxConcurrentPerPerson),
      disk,
      queries: operatorCredential === undefined ? queries : acceptOperator(queries, operatorCredential),
      ...auditSide,
      ...operatorSide,
      readiness: async () => {
        const threadsAway = threads.away();
        const isWhole = threadsAway.length === 0 && foldedGraphs;
        return {
          isReady: isWhole && (await readSide.hasReached(headAtStart, 0)),
          isStopping: stopping.signal.aborted,
          ...{ waitsFor: readSide.notAdmitted().map(describeAwaited), threadsAway },
        };
      },
      isLogExchanged: toldOnce(writeSide.isExchanged, logger),
      consistencyTokens: new ConsistencyTokens(() => writeSide.firstEventId()),
      isSearchable: readSide.isSearchable,
      waitUntilProjected: async (position) => void (await readSide.waitUntilProjected(position, longestWaitMs)),
    });
    const server = await startServer(app, { ...config, ...(isPatient && { patience: endlessPatience }) });
    const reached = untilReached(headAtStart, readSide.hasReached, stopping.signal);
    const becomeReady = async (): Promise<void> => {
      await catchingUp(readSide, reached, logger, stopping.signal);
      if (config.role !== "projector") await foldGroupGraphs(writeSide.foldGroupGraph, queries, stopping.signal);
      foldedGraphs = true;
    };
    const ready = becomeReady();
    if (offersFirstAccount) void offerFirstAccount(signIn, { ready, url: server.url }, config, logger);
    return {
      url: server.url,
      ready,
      freed: () => projecting.freed(),
      stop: async () => {
        stopping.abort();
        await server.stop();
        await reached;
        await parts.disposeAsync();
        // A graph that is half folded is left so: reading it has ended with the log.
        await ready;
      },
    };
  });
}

/** Tells the program's log once that the file was exchanged. */
function toldOnce(isExchanged: () => boolean, logger: Logger): () => boolean {
  let isTold = false;
  return () => {
    const found = isExchanged();
    if (found && !isTold)
      logger.error("The file of the log was exchanged. Nothing is answered or written until the service starts again.");
    isTold = found;
    return found;
  };
}

/** Waits until the read models have come as far as the log, and tells so where that takes more than a look. */
async function catchingUp(
  { notAdmitted }: Pick<ReadSide, "notAdmitted">,
  reached: Promise<void>,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const begun = performance.now();
  const readModels = notAdmitted().map(describeAwaited);
  if (readModels.length > 0)
    logger.info({ readModels }, "Read models are brought up to the log; until then what rests on them is a 503.");
  await reached;
  if (readModels.length > 0 && !signal.aborted)
    logger.info({ ms: Math.round(performance.now() - begun) }, "The read models have come as far as the log.");
}

const stateOf = { building: "building", ofAnotherLog: "of_another_log", unknown: "unknown" } as const;

const describeAwaited = ({ name, refusal, position, upTo }: Admitted): AwaitedReadModel => ({
  name,
  state: stateOf[refusal ?? "building"],
  progress: refusal === "ofAnotherLog" || upTo === null ? null : shareOf(position, upTo),
});

/** Rounded down: 1 is said of what is whole. */
const shareOf = (position: Position, upTo: Position): number =>
  position >= upTo ? 1 : Number((position * 100n) / upTo) / 100;

function openFolder({ dataDir, eventStoreUrl }: Config, folder: "make" | "find", logger: Logger): void {
  for (const warning of openDataFolder({ dataDir, folder, holdsLog: eventStoreUrl === null })) logger.warn(warning);
}

type Opening = Pick<ServiceOptions, "rebuildsBeginAfterMs" | "mayBeBehind" | "expiresFiles" | "passwordHasher">;

/** Everything behind HTTP, at work. */
async function openService(
  config: Config,
  logger: Logger,
  parts: AsyncDisposableStack,
  { rebuildsBeginAfterMs = 0, mayBeBehind = false, expiresFiles = true, ...hashing }: Opening,
) {
  const onEmptied = (): void =>
    logger.warn(
      "The search index was made by another version of this program. It is rebuilt from the log; searches find more and more until it is ready.",
    );
  const threads = new ThreadWatch((thread, reason) =>
    logger.error({ err: reason, thread }, "A thread ended; it is started again."),
  );
  const extraction = parts.adopt(openExtraction(config, logger), (part) => part.close());
  const { extractor } = extraction;
  const writeSide = parts.adopt(await openWriteSide(config, { threads, extractor, ...hashing }), (part) =>
    part.close(),
  );
  const { source, streams, commands } = writeSide;
  const followed = parts.adopt(await followProjections(streams, source, logger), (part) => part.stop());
  const { feed } = followed;
  const logHead = () => source.head();
  const holds: typeof source.holds = (checkpoint, categories) => source.holds(checkpoint, categories);
  const readModels = parts.adopt(
    openReadModels(config, {
      ...{ logHead, holds, threads, onSetAside: tellSetAside(logger) },
      ...(config.role !== "api" && { onEmptied }),
    }),
    (part) => part.close(),
  );
  const role: ProcessRole = { role: config.role, sharesFolder: readModels.sharesFolder };
  const readSide = parts.adopt(await openReadSide(config, { readModels, source, feed, logger, mayBeBehind }), (part) =>
    part.close(),
  );
  const intake = parts.adopt(openDocumentIntake(config, threads), (part) => part.close());
  const auditSide = openAuditSide(config, { writeSide, readSide, intake });
  // A key that somebody has named is looked at before an auditor needs it.
  if (config.auditSigningKeyFile !== null && config.role !== "projector") await auditSide.auditExport.publicKey();
  const operatorSide = parts.adopt(
    await openOperatorSide(config, { writeSide, readModels, readSide, followed, role, logger, ...auditSide }),
    (part) => part.close(),
  );
  // Once everything has been opened: what cannot be had is to be said once and in a sentence.
  const projected = readModels.all.filter((readModel) => isProjectedHere(readModel, role));
  const projecting = parts.adopt(
    startProjecting(projectingThreads(config), projected, {
      ...{ feed, logger, commands, threads, beginAfterMs: rebuildsBeginAfterMs },
      onProjectionError: operatorSide.onProjectionError,
      completeComparison: readSide.completeComparison,
    }),
    (part) => part.stop(),
  );
  parts.adopt(startPageChecks({ log: writeSide, readModels: projected, feed, logger }), (part) => part.stop());
  if (config.role !== "projector" && writeSide.textSweep !== null)
    parts.adopt(startTextSweeps(writeSide.textSweep, logger), (part) => part.stop());
  const uploads = new UploadFolder(config.dataDir);
  const files = await openFiles(config, logger, parts, { writeSide, uploads, expiresFiles });
  const agents = parts.adopt(openAgents(config, logger, writeSide), (part) => part.stop());
  const signingIn = openSignIn(config, logger, parts, { commands, queries: readSide.queries });
  const asking = await openWebAndChat(config, logger, parts, { agents, files, readSide, writeSide });
  return {
    writeSide,
    readSide,
    auditSide,
    operatorSide,
    projecting,
    intake,
    threads,
    files,
    uploads,
    agents,
    ...asking,
    ...signingIn,
  };
}

/** Agents. A process that answers requests follows them. */
function openAgents(
  { role, consistencyTimeoutMs: patienceMs }: Config,
  logger: Logger,
  { source, streams: log }: WriteSide,
): FollowedAgents {
  const agents = new FollowedAgents({ log, source, logger, patienceMs });
  if (role !== "projector") agents.start();
  return agents;
}

const dayMs = 24 * 60 * 60_000;

/** Uploaded files. A process that answers requests follows them, and erases those that have expired. */
async function openFiles(
  { role, consistencyTimeoutMs: patienceMs, fileTtlDays }: Config,
  logger: Logger,
  parts: AsyncDisposableStack,
  {
    writeSide,
    uploads,
    expiresFiles,
  }: { readonly writeSide: WriteSide; readonly uploads: UploadFolder; readonly expiresFiles: boolean },
): Promise<ServedFiles> {
  const { source, streams: log, texts: contents, expireFile: expire } = writeSide;
  const followed = parts.adopt(new FollowedFiles(source, logger), (part) => part.stop());
  if (role !== "projector") {
    await uploads.clear();
    followed.start();
    const expiry = { files: followed, expire, ttlMs: fileTtlDays * dayMs, logger, now: () => Date.now() };
    if (expiresFiles) parts.adopt(startFileExpiry(expiry), (part) => part.stop());
  }
  return new ServedFiles({ log, source, contents, followed, patienceMs });
}
