import { accountStream } from "../../src/events/streams.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { accountAggregate } from "./account.js";
import { decide, type AccountCommand } from "./decider.js";

/** Carries out a command on one account. */
export function handleAccount<Value>(
  { handler }: Pick<CommandServices, "handler">,
  command: Exclude<AccountCommand, { readonly type: "CreateAccount" }>,
  context: CommandContext,
  value: Value,
): CommandResult<Value> {
  return handler.handle({
    aggregate: accountAggregate,
    stream: accountStream(command.email),
    context,
    decide: (state) => replyWith(decide(command, state), value),
  });
}
