import { syncRunStream } from "../../src/events/streams.js";
import type { SyncRunStarted } from "../../src/events/syncRun.js";
import type { DatasourceName } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import { findLiveDatasource } from "../datasource/liveDatasource.js";
import { replyWith } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { decide, syncRunAggregate } from "./decider.js";

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
