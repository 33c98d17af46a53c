import { apiKeyStream } from "../../src/events/streams.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { apiKeyAggregate, decide, type ApiKeyCommand } from "./decider.js";

/** Carries out a command on a personal key that has been created. */
export const handleApiKey = (
  { handler }: CommandServices,
  command: Exclude<ApiKeyCommand, { readonly type: "CreateApiKey" }>,
  context: CommandContext,
): CommandResult<null> =>
  handler.handle({
    aggregate: apiKeyAggregate,
    stream: apiKeyStream(command.id),
    context,
    decide: (state) => replyWith(decide(command, state), null),
  });
