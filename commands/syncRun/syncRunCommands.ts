import { syncRunStream } from "../../src/events/streams.js";
import type { SyncRunStarted } from "../../src/events/syncRun.js";
import type { DatasourceName, DocumentId, SyncRunId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { findLiveDatasource } from "../datasource/liveDatasource.js";
import { replyWith } from "../handleCommand.js";
import { decide, syncRunAggregate, endOf, type SyncRunState, type SyncRunCommand } from "./decider.js";
import { failed, ok } from "../../src/shared/result.js";
import type { SyncRunEnd } from "../rejection.js";
import { laterOf } from "../../src/shared/position.js";
import { handleDeletion } from "../document/documentCommands.js";

interface StartSyncRun {
  readonly datasource: DatasourceName;
  /** The share of the documents, 0 to 1, that a commit deletes without being confirmed. */
  readonly maxDeletedShare: number;
  readonly expiresInHours: number;
}

const hourMs = 3_600_000;

/** Begins a sync run of a datasource: what a connector does not show by its commit is deleted then. */
export async function startSyncRun(
  { handler, minting, now }: CommandServices,
  { datasource, maxDeletedShare, expiresInHours }: StartSyncRun,
  context: CommandContext,
): CommandResult<SyncRunStarted["data"]> {
  const live = await findLiveDatasource(handler, context, datasource);
  if (!live.ok) return live;
  const { datasourceId } = live.value.datasource;
  const syncRunId = minting.syncRunId();
  const expiresAt = new Date(now().getTime() + expiresInHours * hourMs).toISOString();
  const started = { syncRunId, datasourceId, datasource, maxDeletedShare, expiresAt };
  return handler.handle({
    aggregate: syncRunAggregate,
    stream: syncRunStream(syncRunId),
    context,
    decide: (state) => replyWith(decide({ type: "StartSyncRun", started }, state), started),
  });
}

interface SeeDocuments {
  readonly syncRunId: SyncRunId;
  readonly documentIds: readonly DocumentId[];
  /** The datasources that the documents are of; left out: that of the run. */
  readonly datasources?: readonly DatasourceName[];
}

/** So many ids come to a fifth of a log server's limit of one mebibyte. */
const mostPerEvent = 1_000;

/**
 * Records that the client has these documents. It goes before they are indexed: whatever becomes of them, and wherever
 * a process dies, a document that was to be pushed is not deleted by the run.
 */
export async function seeDocuments(
  services: CommandServices,
  { syncRunId, documentIds, datasources = [] }: SeeDocuments,
  context: CommandContext,
): CommandResult<null> {
  const found = await findSyncRun(services, { syncRunId }, context);
  if (!found.ok) return found;
  const run = found.value.value;
  const { datasource } = run;
  if (datasources.some((other) => other !== datasource))
    return failed({ type: "SyncRunOfOtherDatasource", id: syncRunId, datasource });
  let { position } = found.value;
  for (let first = 0; first === 0 || first < documentIds.length; first += mostPerEvent) {
    const some = documentIds.slice(first, first + mostPerEvent);
    const seen = await handleFoundSyncRun(services, context, run, {
      type: "SeeDocuments",
      ...{ syncRunId, documentIds: some },
    });
    if (!seen.ok) return seen;
    position = seen.value.position;
  }
  return ok({ value: null, position });
}

/** A sync run as it stands. */
export interface FoundSyncRun extends Omit<NonNullable<SyncRunState>, "seen" | "end"> {
  /** It grows while the run is open. */
  readonly seen: ReadonlySet<DocumentId>;
  /** null: it is open. */
  readonly end: SyncRunEnd | null;
}

/**
 * Looks a sync run up, and writes nothing. No read model knows runs: they are few, short, and asked for by those who
 * write them. Waits its turn among the run's commands. Refuses those who may not write to the run's datasource.
 */
export async function findSyncRun(
  { handler, now }: CommandServices,
  { syncRunId }: { readonly syncRunId: SyncRunId },
  context: CommandContext,
): CommandResult<FoundSyncRun> {
  const found = await handler.handle({
    aggregate: syncRunAggregate,
    stream: syncRunStream(syncRunId),
    context,
    decide: (state) =>
      state === null
        ? failed({ type: "SyncRunNotFound", id: syncRunId } as const)
        : ok({ events: [], value: { ...state, end: endOf(state, now()) } }),
  });
  if (!found.ok) return found;
  const { value: run, position } = found.value;
  const live = await findLiveDatasource(handler, context, run.datasource);
  if (!live.ok && live.error.type !== "DatasourceNotFound") return live;
  const isThere = live.ok && live.value.datasource.datasourceId === run.datasourceId;
  return ok({ value: isThere ? run : { ...run, end: "datasourceDeleted" }, position });
}

interface CommitSyncRun {
  readonly syncRunId: SyncRunId;
  /** All documents of the datasource that were indexed before the run began, seen or not. */
  readonly candidates: readonly DocumentId[];
  /** How many documents the datasource has. */
  readonly documents: number;
  readonly isConfirmed: boolean;
}

/**
 * Ends a run: from here on what was seen is final, and `deleteUnseen` deletes the rest. Refused where that is more than
 * the run may delete without being confirmed.
 */
export function commitSyncRun(
  services: CommandServices,
  asked: CommitSyncRun,
  context: CommandContext,
): CommandResult<null> {
  return handleSyncRun(services, context, { type: "CommitSyncRun", ...asked });
}

/** Ends a run that then deletes nothing; a run that has expired deletes nothing either. */
export function abortSyncRun(
  services: CommandServices,
  { syncRunId }: { readonly syncRunId: SyncRunId },
  context: CommandContext,
): CommandResult<null> {
  return handleSyncRun(services, context, { type: "AbortSyncRun", syncRunId });
}

interface DeleteUnseen {
  readonly syncRunId: SyncRunId;
  /** Documents of the run's datasource; those that must stay are passed over. */
  readonly candidates: readonly DocumentId[];
}

/**
 * Deletes those of the candidates that a committed run has not seen and that nobody has written to since it began; the
 * run is what caused it. Answers how many it deleted. What is left of a commit that was cut short is deleted by giving
 * the command again.
 */
export async function deleteUnseen(
  services: CommandServices,
  { syncRunId, candidates }: DeleteUnseen,
  context: CommandContext,
): CommandResult<number> {
  const found = await findSyncRun(services, { syncRunId }, context);
  if (!found.ok) return found;
  const { datasourceId, datasource: name, startedAt, seen, end } = found.value.value;
  if (end === null) return failed({ type: "SyncRunOpen", id: syncRunId });
  if (end !== "committed") return failed({ type: "SyncRunOver", id: syncRunId, because: end });
  let { position } = found.value;
  let count = 0;
  const unseen = candidates.filter((documentId) => !seen.has(documentId));
  const deletions = await Promise.all(
    unseen.map((documentId) =>
      handleDeletion(
        services.handler,
        { ...context, causationId: syncRunId },
        { datasourceId, name },
        documentId,
        startedAt,
      ),
    ),
  );
  for (const deleted of deletions) {
    if (!deleted.ok) return deleted;
    if (deleted.value.value) count++;
    if (deleted.value.position !== null)
      position = position === null ? deleted.value.position : laterOf(position, deleted.value.position);
  }
  return ok({ value: count, position });
}

type OfOpenRun = Exclude<SyncRunCommand, { readonly type: "StartSyncRun" }>;
type WithoutClock<Command> = Command extends unknown ? Omit<Command, "now"> : never;

/** Finds the run that a command is about, and handles it there. */
async function handleSyncRun(
  services: CommandServices,
  context: CommandContext,
  command: WithoutClock<OfOpenRun>,
): CommandResult<null> {
  const found = await findSyncRun(services, command, context);
  return found.ok ? handleFoundSyncRun(services, context, found.value.value, command) : found;
}

/** Handles a command of a run, on the datasource that it was started for. */
async function handleFoundSyncRun(
  services: CommandServices,
  context: CommandContext,
  run: FoundSyncRun,
  command: WithoutClock<OfOpenRun>,
): CommandResult<null> {
  const { syncRunId } = command;
  if (run.end === "datasourceDeleted") return failed({ type: "SyncRunOver", id: syncRunId, because: run.end });
  return services.handler.handle({
    aggregate: syncRunAggregate,
    stream: syncRunStream(syncRunId),
    context,
    decide: (state) => replyWith(decide({ ...command, now: services.now() }, state), null),
  });
}
