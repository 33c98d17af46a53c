import { serviceAccountStream } from "../../src/events/streams.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { decide, serviceAccountAggregate, type ServiceAccountCommand } from "./decider.js";

/** Carries out a command on a service account that has been created. */
export const handleServiceAccount = <Value>(
  { handler }: Pick<CommandServices, "handler">,
  command: Exclude<ServiceAccountCommand, { readonly type: "CreateServiceAccount" }>,
  context: CommandContext,
  value: Value,
): CommandResult<Value> =>
  handler.handle({
    aggregate: serviceAccountAggregate,
    stream: serviceAccountStream(command.id),
    context,
    decide: (state) => replyWith(decide(command, state), value),
  });
