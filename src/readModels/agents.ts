import type { AgentDefinition } from "../events/agent.js";
import type { AgentId, Email } from "../shared/ids.js";

/** An agent that is there. */
export interface Agent extends AgentDefinition {
  readonly id: AgentId;
  /** ISO instant from which on it is what it is. */
  readonly updatedAt: string;
}

/**
 * Agents, as people may use them. Both reflect every write that was answered before, at every process. They throw
 * `ReadModelUnavailable` where that cannot be had now.
 */
export interface Agents {
  /** Null where there is none, where it was deleted, and where this person may not use it. */
  find(person: Email, id: AgentId): Promise<Agent | null>;
  /** The agents that this person may use, by name. */
  list(person: Email): Promise<readonly Agent[]>;
}

/** The same for the people who look after agents: all agents, no matter who may use them. */
export interface AllAgents extends Agents {
  get(id: AgentId): Promise<Agent | null>;
  all(): Promise<readonly Agent[]>;
}
