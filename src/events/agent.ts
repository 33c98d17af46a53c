import type { AgentId, Email } from "../shared/ids.js";

/** The tools that a model may be given (spec: Model-compatible endpoints). */
export const toolNames = ["webSearch", "internalSearch"] as const;
export type ToolName = (typeof toolNames)[number];

/** What people talk to under a name: a model with instructions, tools and sources of its own. */
export interface AgentDefinition {
  readonly name: string;
  /** What the model is told before anything else. */
  readonly instructions: string;
  /** null: the service's default. */
  readonly model: string | null;
  /** Each once, in the order of {@link toolNames}. */
  readonly tools: readonly ToolName[];
  /** Values of the `data_source` filter that internal searches keep to; null: all. */
  readonly sources: readonly string[] | null;
  /** Whether a query may leave for the web after an internal search of the same answer. */
  readonly webAfterInternal: boolean;
  /** The people who may use it, sorted; null: everybody, an empty list: nobody. */
  readonly users: readonly Email[] | null;
}

interface DefinedAgent extends AgentDefinition {
  readonly agentId: AgentId;
}

export interface AgentCreated {
  readonly type: "AgentCreated";
  readonly data: DefinedAgent;
}

/** It is all that it says here from now on. */
interface AgentUpdated {
  readonly type: "AgentUpdated";
  readonly data: DefinedAgent;
}

interface AgentDeleted {
  readonly type: "AgentDeleted";
  readonly data: { readonly agentId: AgentId };
}

/** Stream `agent-{id}`. */
export type AgentEvent = AgentCreated | AgentUpdated | AgentDeleted;

export const agentEventTypes: Readonly<Record<AgentEvent["type"], true>> = {
  AgentCreated: true,
  AgentUpdated: true,
  AgentDeleted: true,
};
