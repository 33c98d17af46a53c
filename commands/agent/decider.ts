import { match } from "ts-pattern";
import type { AgentCreated, AgentEvent } from "../../src/events/agent.js";
import type { AgentId } from "../../src/shared/ids.js";
import { failed, ok } from "../../src/shared/result.js";
import type { Aggregate, Decision } from "../aggregate.js";

/** An agent; a deleted one never comes back. */
type AgentState = "absent" | "deleted" | AgentCreated["data"];

type AgentCommand =
  | { readonly type: "CreateAgent"; readonly agent: AgentCreated["data"] }
  | { readonly type: "UpdateAgent"; readonly agent: AgentCreated["data"] }
  | { readonly type: "DeleteAgent"; readonly agentId: AgentId };

const initialState = (): AgentState => "absent";

/** The newest event is the state. */
function evolve(_state: AgentState, event: AgentEvent): AgentState {
  return match(event)
    .returnType<AgentState>()
    .with({ type: "AgentCreated" }, { type: "AgentUpdated" }, ({ data }) => data)
    .with({ type: "AgentDeleted" }, () => "deleted")
    .exhaustive();
}

/** Ids are minted at random, so one that is there already is this same creation, come again. */
export function decide(command: AgentCommand, state: AgentState): Decision<AgentEvent> {
  return match(command)
    .returnType<Decision<AgentEvent>>()
    .with({ type: "CreateAgent" }, ({ agent }) => ok(state === "absent" ? [{ type: "AgentCreated", data: agent }] : []))
    .with({ type: "UpdateAgent" }, ({ agent }) => {
      if (typeof state === "string") return failed({ type: "AgentNotFound", id: agent.agentId });
      return ok(isSame(state, agent) ? [] : [{ type: "AgentUpdated", data: agent }]);
    })
    .with({ type: "DeleteAgent" }, ({ agentId }) =>
      typeof state === "string"
        ? failed({ type: "AgentNotFound", id: agentId })
        : ok([{ type: "AgentDeleted", data: { agentId } }]),
    )
    .exhaustive();
}

/** Compares two normalized agents: their lists are in one order. */
const isSame = (one: AgentCreated["data"], other: AgentCreated["data"]): boolean =>
  (Object.keys(other) as (keyof AgentCreated["data"])[]).every(
    (key) => JSON.stringify(one[key]) === JSON.stringify(other[key]),
  );

export const agentAggregate: Aggregate<AgentState, AgentEvent> = {
  initialState,
  evolve,
  cacheCost: () => 1,
  latestKnownEvent: true,
};
