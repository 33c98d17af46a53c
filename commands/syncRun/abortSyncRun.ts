import type { SyncRunId } from "../../src/shared/ids.js";
import { ok } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { handleSyncRun } from "./handleSyncRun.js";

/** Ends a run that then deletes nothing; a run that has expired deletes nothing either. */
export async function abortSyncRun(
  services: CommandServices,
  { syncRunId }: { readonly syncRunId: SyncRunId },
  context: CommandContext,
): CommandResult<null> {
  const aborted = await handleSyncRun(services, context, { type: "AbortSyncRun", syncRunId });
  return aborted.ok ? ok({ ...aborted.value, value: null }) : aborted;
}
