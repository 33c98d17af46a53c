import { syncRunStream } from "../../src/events/streams.js";
import { failed, ok } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { decide, syncRunAggregate, type SyncRunCommand } from "./decider.js";
import { findSyncRun, type FoundSyncRun } from "./findSyncRun.js";

type OfOpenRun = Exclude<SyncRunCommand, { readonly type: "StartSyncRun" }>;
type WithoutClock<Command> = Command extends unknown ? Omit<Command, "now"> : never;

/** Handles a command of a run that has been started, on the datasource that it was started for. */
export async function handleSyncRun(
  services: CommandServices,
  context: CommandContext,
  command: WithoutClock<OfOpenRun>,
): CommandResult<FoundSyncRun> {
  const { syncRunId } = command;
  const found = await findSyncRun(services, { syncRunId }, context);
  if (!found.ok) return found;
  const run = found.value.value;
  if (run.end === "datasourceDeleted") return failed({ type: "SyncRunOver", id: syncRunId, because: run.end });
  const handled = await services.handler.handle({
    aggregate: syncRunAggregate,
    stream: syncRunStream(syncRunId),
    context,
    decide: (state) => replyWith(decide({ ...command, now: services.now() }, state), null),
  });
  return handled.ok ? ok({ ...handled.value, value: run }) : handled;
}
