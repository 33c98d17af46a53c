import { ChatFailure, modelNotFound } from "../chatFailure.js";
import type { CompletionRequest } from "../chat.js";
import type { ToolName } from "../../events/agent.js";
import type { Agent, Agents } from "../../readModels/agents.js";
import { toAgentId } from "../../shared/ids.js";

/** What the id of a model begins with that is an agent. */
export const agentPrefix = "agent:";

/** Who answers a request, and with what. */
export interface Chosen {
  /** A model of the catalogue, by the name that clients know. */
  readonly model: string;
  readonly agent: Agent | null;
  readonly tools: readonly ToolName[];
}

/**
 * Chooses model and tools. An agent allows tools, and a request asks for them. Whoever names the agent as model asks for
 * its model and all of its tools: chat programs can name nothing else.
 */
export async function choose(
  { person, model, agentId, tools }: Pick<CompletionRequest, "person" | "model" | "agentId" | "tools">,
  { agents, defaultModel }: { readonly agents: Agents; readonly defaultModel: string },
): Promise<Chosen> {
  const named = agentNamedBy(model);
  const id = agentId ?? named;
  if (named !== null && named !== id) throw twoAgents();
  if (id === null) return { model: model ?? defaultModel, agent: null, tools };
  const agent = await agents.find(person, toAgentId(id));
  if (agent === null) throw agentId === null ? modelNotFound(`${agentPrefix}${id}`) : agentNotFound(id);
  return {
    model: (named === null ? model : null) ?? agent.model ?? defaultModel,
    agent,
    tools: named === null ? tools.filter((tool) => agent.tools.includes(tool)) : agent.tools,
  };
}

const agentNamedBy = (model: string | null): string | null =>
  model?.startsWith(agentPrefix) === true ? model.slice(agentPrefix.length) : null;

const twoAgents = (): ChatFailure =>
  new ChatFailure({
    ...{ status: 422, code: "two_agents", param: "metadata.agent_id" },
    message: "The model is an agent, and agent_id names another one. Name one of them.",
  });

const agentNotFound = (id: string): ChatFailure =>
  new ChatFailure({
    ...{ status: 404, code: "agent_not_found", param: "metadata.agent_id" },
    message: `There is no agent with the id ${JSON.stringify(id)} that you may use.`,
  });
