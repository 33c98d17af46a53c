import { agentStream } from "../../src/events/streams.js";
import type { AgentId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { agentAggregate, decide } from "./decider.js";

interface DeleteAgent {
  readonly agentId: AgentId;
}

/** Deletes an agent for good. */
export function deleteAgent(
  { handler }: CommandServices,
  { agentId }: DeleteAgent,
  context: CommandContext,
): CommandResult<null> {
  return handler.handle({
    aggregate: agentAggregate,
    stream: agentStream(agentId),
    context,
    decide: (state) => replyWith(decide({ type: "DeleteAgent", agentId }, state), null),
  });
}
