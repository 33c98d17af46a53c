import { syncRunStream } from "../../src/events/streams.js";
import type { DocumentId, SyncRunId } from "../../src/shared/ids.js";
import { failed, ok } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import { findLiveDatasource } from "../datasource/liveDatasource.js";
import type { SyncRunEnd } from "../rejection.js";
import type { CommandServices } from "../services.js";
import { endOf, syncRunAggregate, type SyncRunState } from "./decider.js";

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
