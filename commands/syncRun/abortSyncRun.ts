import type { SyncRunId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleSyncRun } from "./handleSyncRun.js";

/** Ends a run that then deletes nothing; a run that has expired deletes nothing either. */
export function abortSyncRun(
  services: CommandServices,
  { syncRunId }: { readonly syncRunId: SyncRunId },
  context: CommandContext,
): CommandResult<null> {
  return handleSyncRun(services, context, { type: "AbortSyncRun", syncRunId });
}
