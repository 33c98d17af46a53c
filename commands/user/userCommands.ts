import type { DatasourceName, Email } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { userStream } from "../../src/events/streams.js";
import { findLiveDatasource } from "../datasource/liveDatasource.js";
import { replacedMemberships } from "../groupMembers/replacedMemberships.js";
import { untilDeleted, replyWith, type CommandHandler } from "../handleCommand.js";
import { decide, userAggregate, type RegistrationCommand, type UserCommand } from "./decider.js";
import type { Rejection } from "../rejection.js";

interface RegisterUser {
  readonly datasource: DatasourceName;
  readonly email: Email;
  readonly name: string | null;
}

/**
 * Registers a person on a datasource: only registered people see any of its documents (spec: POST /users, Visibility
 * rules, 1).
 */
export const registerUser = (
  { handler }: CommandServices,
  { datasource, email, name }: RegisterUser,
  context: CommandContext,
): CommandResult<null> => handleRegistration(handler, context, { type: "RegisterUser", datasource, email, name });

interface RenameUser {
  readonly datasource: DatasourceName;
  readonly email: Email;
  readonly name: string;
}

/** Changes the name that a person is shown with (spec: PUT /users/{datasource}/{email}). */
export const renameUser = (
  { handler }: CommandServices,
  { datasource, email, name }: RenameUser,
  context: CommandContext,
): CommandResult<null> => handleRegistration(handler, context, { type: "RenameUser", datasource, email, name });

interface DeleteUser {
  readonly datasource: DatasourceName;
  readonly email: Email;
}

/**
 * Ends a person's registration on a datasource, with every membership there: from then on the person sees none of its
 * documents.
 */
export async function deleteUser(
  { handler }: CommandServices,
  { datasource, email }: DeleteUser,
  context: CommandContext,
): CommandResult<null> {
  const live = await findLiveDatasource(handler, context, datasource, refuseEmptyEmail(email));
  if (!live.ok) return live;
  const { datasourceId } = live.value.datasource;
  const replaced = await replacedMemberships(handler, { datasourceId, email });
  return untilDeleted(handler, {
    aggregate: userAggregate,
    stream: userStream(datasourceId, email),
    context,
    decision: (state) => decide({ type: "DeleteUser", datasourceId, datasource, email, replaced }, state),
    last: "UserDeleted",
  });
}

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
async function handleRegistration(
  handler: CommandHandler,
  context: CommandContext,
  command: WithoutDatasourceId<RegistrationCommand>,
): CommandResult<null> {
  const live = await findLiveDatasource(handler, context, command.datasource, refuseEmptyEmail(command.email));
  if (!live.ok) return live;
  return handleUser(handler, context, { ...command, datasourceId: live.value.datasource.datasourceId });
}

/** An email that is empty once it is trimmed names nobody (spec: POST and PUT /users, 400). */
export const refuseEmptyEmail = (email: Email): Rejection | null => (email === "" ? { type: "EmailEmpty" } : null);
