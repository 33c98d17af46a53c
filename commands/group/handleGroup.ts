import { groupGraphStream } from "../../src/events/streams.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith, type CommandHandler } from "../handleCommand.js";
import { decide, groupGraphAggregate, type GroupCommand } from "./decider.js";

/** Handles a command of a datasource's group graph. */
export function handleGroup(
  handler: CommandHandler,
  context: CommandContext,
  command: GroupCommand,
): CommandResult<null> {
  return handler.handle({
    aggregate: groupGraphAggregate,
    stream: groupGraphStream(command.datasourceId),
    context,
    decide: (graph) => replyWith(decide(command, graph), null),
  });
}
