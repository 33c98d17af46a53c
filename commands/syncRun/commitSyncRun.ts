import type { DocumentId, SyncRunId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleSyncRun } from "./handleSyncRun.js";

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
