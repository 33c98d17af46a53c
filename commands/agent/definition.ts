import { toolNames, type AgentDefinition } from "../../src/events/agent.js";

/** The one way of writing of what was asked for: tools and people in their order, each once. */
export const normalized = ({ tools, users, sources, ...rest }: AgentDefinition): AgentDefinition => ({
  ...rest,
  tools: toolNames.filter((name) => tools.includes(name)),
  sources: sources && [...new Set(sources)],
  users: users && [...new Set(users)].sort(),
});
