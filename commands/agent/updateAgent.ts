import type { AgentCreated, AgentDefinition } from "../../src/events/agent.js";
import { agentStream } from "../../src/events/streams.js";
import type { AgentId } from "../../src/shared/ids.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { agentAggregate, decide } from "./decider.js";
import { normalized } from "./definition.js";

interface UpdateAgent {
  readonly agentId: AgentId;
  /** All of it. Tools and people in any order, repeats allowed. */
  readonly definition: AgentDefinition;
}

/** Replaces what an agent is, from its next answer on, and answers with it. */
export function updateAgent(
  { handler }: CommandServices,
  { agentId, definition }: UpdateAgent,
  context: CommandContext,
): CommandResult<AgentCreated["data"]> {
  const agent = { agentId, ...normalized(definition) };
  return handler.handle({
    aggregate: agentAggregate,
    stream: agentStream(agentId),
    context,
    decide: (state) => replyWith(decide({ type: "UpdateAgent", agent }, state), agent),
  });
}
