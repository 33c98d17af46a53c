import { sessionStream } from "../../src/events/streams.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { decide, sessionAggregate, type SessionCommand } from "./decider.js";

/** Carries out a command on a session that has been started. */
export const handleSession = (
  { handler }: CommandServices,
  command: Exclude<SessionCommand, { readonly type: "StartSession" }>,
  context: CommandContext,
): CommandResult<null> =>
  handler.handle({
    aggregate: sessionAggregate,
    stream: sessionStream(command.id),
    context,
    decide: (state) => replyWith(decide(command, state), null),
  });
