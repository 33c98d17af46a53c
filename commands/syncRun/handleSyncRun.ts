import { syncRunStream } from "../../src/events/streams.js";
import { failed } from "../../src/shared/result.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { decide, syncRunAggregate, type SyncRunCommand } from "./decider.js";
import { findSyncRun, type FoundSyncRun } from "./findSyncRun.js";

type OfOpenRun = Exclude<SyncRunCommand, { readonly type: "StartSyncRun" }>;
type WithoutClock<Command> = Command extends unknown ? Omit<Command, "now"> : never;

/** Finds the run that a command is about, and handles it there. */
export async function handleSyncRun(
  services: CommandServices,
  context: CommandContext,
  command: WithoutClock<OfOpenRun>,
): CommandResult<null> {
  const found = await findSyncRun(services, command, context);
  return found.ok ? handleFoundSyncRun(services, context, found.value.value, command) : found;
}

/** Handles a command of a run, on the datasource that it was started for. */
export async function handleFoundSyncRun(
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
