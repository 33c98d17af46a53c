import { userStream } from "../../src/events/streams.js";
import type { CommandContext, CommandResult } from "../command.js";
import { findLiveDatasource } from "../datasource/liveDatasource.js";
import { replyWith, type CommandHandler } from "../handleCommand.js";
import { decide, userAggregate, type RegistrationCommand, type UserCommand } from "./decider.js";
import { refuseEmptyEmail } from "./refuseEmptyEmail.js";

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

type WithoutDatasourceId<Command> = Command extends unknown ? Omit<Command, "datasourceId"> : never;

/** Handles a command about a person's registration, on the datasource that has the name now. */
export async function handleRegistration(
  handler: CommandHandler,
  context: CommandContext,
  command: WithoutDatasourceId<RegistrationCommand>,
): CommandResult<null> {
  const live = await findLiveDatasource(handler, context, command.datasource, refuseEmptyEmail(command.email));
  if (!live.ok) return live;
  return handleUser(handler, context, { ...command, datasourceId: live.value.datasource.datasourceId });
}
