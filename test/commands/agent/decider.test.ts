import { agentAggregate, decide } from "../../../commands/agent/decider.js";
import type { AgentEvent } from "../../../src/events/agent.js";
import { events } from "../../support/examples.js";
import { deciderScenarios } from "../../support/givenWhenThen.js";

const given = deciderScenarios({ ...agentAggregate, decide });
const { AgentCreated: created, AgentUpdated: updated, AgentDeleted: deleted } = events;
const { agentId } = deleted.data;
const notFound = { type: "AgentNotFound", id: agentId } as const;

describe("the decider of agents", () => {
  const create = { type: "CreateAgent", agent: created.data } as const;
  const update = { type: "UpdateAgent", agent: updated.data } as const;
  const remove = { type: "DeleteAgent", agentId } as const;

  it("created: once", () => {
    given([]).when(create).then([created]);
    given([created]).when(create).thenNothing();
  });

  it("updated: as a whole, and only where something changes", () => {
    given([created]).when(update).then([updated]);
    given([created, updated]).when(update).thenNothing();
    const back: AgentEvent = { type: "AgentUpdated", data: created.data };
    given([created, updated]).when({ type: "UpdateAgent", agent: created.data }).then([back]);
  });

  it("deleted: for good", () => {
    given([created]).when(remove).then([deleted]);
    given([created, updated]).when(remove).then([deleted]);
    given([created, deleted]).when(create).thenNothing();
  });

  it("rejected: one that never was, and a deleted one", () => {
    for (const history of [[], [created, deleted]])
      for (const command of [update, remove]) given(history).when(command).thenRejected(notFound);
  });
});
