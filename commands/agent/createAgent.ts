import type { AgentCreated, AgentDefinition } from "../../src/events/agent.js";
import { agentStream } from "../../src/events/streams.js";
import type { CommandContext, CommandResult } from "../command.js";
import { replyWith } from "../handleCommand.js";
import type { CommandServices } from "../services.js";
import { agentAggregate, decide } from "./decider.js";
import { normalized } from "./definition.js";

interface CreateAgent {
  /** Tools and people in any order, repeats allowed. */
  readonly definition: AgentDefinition;
}

/** Creates an agent and answers with it. Names need not differ. */
export function createAgent(
  { handler, minting }: CommandServices,
  { definition }: CreateAgent,
  context: CommandContext,
): CommandResult<AgentCreated["data"]> {
  const agent = { agentId: minting.agentId(), ...normalized(definition) };
  return handler.handle({
    aggregate: agentAggregate,
    stream: agentStream(agent.agentId),
    context,
    decide: (state) => replyWith(decide({ type: "CreateAgent", agent }, state), agent),
  });
}
