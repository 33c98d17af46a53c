import { userStream } from "../../src/events/streams.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith, type CommandHandler } from "../handleCommand.js";
import { decide, userAggregate, type UserCommand } from "./decider.js";

/** Handles a command of one person's stream on one datasource. */
export function handleUser(
  handler: CommandHandler,
  context: CommandContext,
  command: UserCommand,
): CommandResult<null> {
  return handler.handle({
    aggregate: userAggregate,
    stream: userStream(command.datasourceId, command.email),
    context,
    decide: (state) => replyWith(decide(command, state), null),
  });
}
