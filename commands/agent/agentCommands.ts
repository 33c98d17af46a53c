import { type AgentCreated, type AgentDefinition, toolNames } from "../../src/events/agent.js";
import { agentStream } from "../../src/events/streams.js";
import type { CommandContext, CommandResult } from "../command.js";
import type { CommandServices } from "../services.js";
import { replyWith } from "../handleCommand.js";
import { agentAggregate, decide } from "./decider.js";
import type { AgentId } from "../../src/shared/ids.js";

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

/** The one way of writing of what was asked for: tools and people in their order, each once. */
const normalized = ({ tools, users, sources, ...rest }: AgentDefinition): AgentDefinition => ({
  ...rest,
  tools: toolNames.filter((name) => tools.includes(name)),
  sources: sources && [...new Set(sources)],
  users: users && [...new Set(users)].sort(),
});
