import type { CommandContext, CommandResult, Commands } from "../../commands/commands.js";
import { commandContextOf, type ApiContext } from "./apiContext.js";
import { valueOf } from "./envelopes.js";
import type { CheckedRequest, DescribedRoute, ParamsOf, RouteDescription, RouteHead } from "./route.js";

/** What a command route does with a request, without anything of HTTP: it can be tried as well as carried out. */
interface CommandSteps<Request, Command, Value> {
  /** The command that is asked for. Throws a `RefusedRequest` where a request names none. */
  toCommand(request: Request): Command;
  run(command: Command, context: CommandContext, commands: Commands): CommandResult<Value>;
  /** The body of the answer. */
  toAnswer(value: Value, command: Command): unknown;
}

/** A route that gives one command. */
export interface CommandRoute extends DescribedRoute, CommandSteps<CheckedRequest, unknown, unknown> {}

interface CommandRouteDefinition<Path extends string, Query, Body, Command, Value>
  extends RouteHead<Path, Query, Body>, CommandSteps<CheckedRequest<ParamsOf<Path>, Query, Body>, Command, Value> {
  /**
   * Left out: the answer waits, boundedly, until the read models of access and catalogue have caught up. So a client
   * that registers a datasource and reads it back, or adds a member and searches, is not surprised.
   */
  readonly answersAtOnce?: true;
  readonly description: Omit<RouteDescription, "success"> & {
    readonly success: Omit<RouteDescription["success"], "carriesToken">;
  };
}

/** Defines a route that gives a command, and answers with what came of it and a consistency token. */
export function commandRoute<const Path extends string, Command, Value, Query = undefined, Body = undefined>(
  definition: CommandRouteDefinition<Path, Query, Body, Command, Value>,
): CommandRoute {
  const { answersAtOnce = false, description, ...rest } = definition;
  const steps: CommandSteps<CheckedRequest<ParamsOf<Path>, Query, Body>, Command, Value> = definition;
  const handle = async (context: ApiContext, request: CheckedRequest<ParamsOf<Path>, Query, Body>): Promise<void> => {
    const command = steps.toCommand(request);
    const value = await writtenBy(context, (commands, by) => steps.run(command, by, commands), answersAtOnce);
    context.body = steps.toAnswer(value, command);
  };
  const success = { ...description.success, carriesToken: true } as const;
  return { ...rest, handle, description: { ...description, success } };
}

/**
 * Gives a command on behalf of the caller, and leaves the position for the answer's token. Waits, boundedly, until it
 * is projected, unless the answer is to leave at once.
 */
export async function writtenBy<Value>(
  context: ApiContext,
  give: (commands: Commands, by: CommandContext) => CommandResult<Value>,
  answersAtOnce = false,
): Promise<Value> {
  const { commands, waitUntilProjected } = context.services;
  const { value, position } = valueOf(await give(commands, commandContextOf(context)));
  if (position !== null && !answersAtOnce) await waitUntilProjected(position);
  context.state.position = position;
  return value;
}

/** Tells the routes that give a command from those that answer a question. */
export const isCommandRoute = (candidate: DescribedRoute): candidate is CommandRoute => "toCommand" in candidate;
