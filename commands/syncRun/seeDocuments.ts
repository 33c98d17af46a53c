import type { DatasourceName, DocumentId, SyncRunId } from "../../src/shared/ids.js";
import { failed, ok } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { findSyncRun } from "./findSyncRun.js";
import { handleFoundSyncRun } from "./handleSyncRun.js";

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
