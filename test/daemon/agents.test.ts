import { expect } from "chai";
import { pino } from "pino";
import { createCommands } from "../../commands/createCommands.js";
import type { Commands } from "../../commands/commands.js";
import { FollowedAgents } from "../../src/daemon/followAgents.js";
import type { AgentDefinition } from "../../src/events/agent.js";
import type { EventSource } from "../../projections/ports.js";
import type { AgentId } from "../../src/shared/ids.js";
import { ReadModelUnavailable } from "../../src/shared/failures.js";
import { openLogOn } from "../adapters/log/eventstoredb/openLog.js";
import { openTemporaryLog } from "../adapters/log/sqlite/temporaryLog.js";
import { accepted } from "../commands/temporaryCommands.js";
import type { EventLogUnderTest } from "../contracts/eventLogFixtures.js";
import { EventStoreDouble } from "../support/eventStoreDb/eventStoreDouble.js";
import { alice, bob, commands as examples, operator } from "../support/examples.js";
import { newNamespace } from "../support/newNamespace.js";

const logger = pino({ level: "silent" });
const at = "2026-01-01T00:00:00.000Z";

/** Agents of several processes over one log. `open` gives a fresh one. */
function followsAgents(open: () => Promise<EventLogUnderTest>): void {
  let under: EventLogUnderTest;
  let commands: Commands;
  const opened: FollowedAgents[] = [];

  /** What one process knows. */
  function openProcess(source: EventSource = under.source, patienceMs = 5_000): FollowedAgents {
    const agents = new FollowedAgents({ log: under.log, source, logger, patienceMs });
    opened.push(agents);
    agents.start();
    return agents;
  }
  const create = async (definition: Partial<AgentDefinition>): Promise<AgentId> => {
    const asked = { definition: { ...examples.createAgent.definition, ...definition } };
    return (await accepted(commands.createAgent(asked, operator))).value.agentId;
  };
  const namesOf = async (agents: FollowedAgents, person = alice): Promise<readonly string[]> =>
    (await agents.list(person)).map(({ name }) => name);

  beforeEach(async () => {
    under = await open();
    commands = createCommands({ log: under.log, productName: "amber", now: () => new Date(at) });
  });
  afterEach(async () => {
    for (const agents of opened.splice(0)) await agents.stop();
    await under.close();
  });

  it("are there for those who may use them, at every process, as soon as a write is answered", async () => {
    const processes = [openProcess(), openProcess()];
    const everybodys = await create({ name: "B", users: null });
    const mine = await create({ name: "A", users: [alice, alice], tools: ["internalSearch", "webSearch"] });
    const nobodys = await create({ name: "C", users: [] });
    for (const agents of processes) {
      expect(await namesOf(agents)).to.deep.equal(["A", "B"]);
      expect(await namesOf(agents, bob)).to.deep.equal(["B"]);
      expect((await agents.all()).map(({ id }) => id)).to.deep.equal([mine, everybodys, nobodys]);
      expect(await agents.find(alice, mine)).to.deep.equal({
        ...{ ...examples.createAgent.definition, id: mine, name: "A", updatedAt: at },
        ...{ users: [alice], tools: ["webSearch", "internalSearch"] },
      });
      expect(await agents.find(bob, mine)).to.equal(null);
      expect(await agents.find(alice, nobodys)).to.equal(null);
      expect((await agents.get(nobodys))?.name).to.equal("C");
    }
  });

  it("change and go at every process at once", async () => {
    const processes = [openProcess(), openProcess()];
    const [one, other] = [await create({ name: "One", users: null }), await create({ name: "Other", users: null })];
    const definition = { ...examples.createAgent.definition, name: "Renamed", users: [bob] };
    await accepted(commands.updateAgent({ agentId: one, definition }, operator));
    await accepted(commands.deleteAgent({ agentId: other }, operator));
    for (const agents of processes) {
      expect(await namesOf(agents)).to.deep.equal([]);
      expect(await namesOf(agents, bob)).to.deep.equal(["Renamed"]);
      expect(await agents.find(alice, one)).to.equal(null);
      expect(await agents.get(other)).to.equal(null);
    }
  });

  it("go where what changed them cannot be read: it may have taken them away", async () => {
    const id = await create({ name: "One", users: null });
    const definition = { ...examples.createAgent.definition, users: [] };
    await accepted(commands.updateAgent({ agentId: id, definition }, operator));
    const { source } = under;
    const damaged: EventSource = {
      head: () => source.head(),
      holds: (...asked) => source.holds(...asked),
      async *subscribe(options) {
        for await (const batch of source.subscribe(options)) {
          const events = batch.events.map((event) =>
            event.event.type === "AgentUpdated"
              ? { ...event, unreadable: { type: "AgentUpdated", reason: new Error("Damaged."), datasourceId: null } }
              : event,
          );
          yield { ...batch, events };
        }
      },
    };
    expect(await openProcess(damaged).all()).to.deep.equal([]);
  });

  it("are not listed before it is known which there are", async () => {
    await create({});
    const silent: EventSource = {
      head: () => under.source.head(),
      holds: (...asked) => under.source.holds(...asked),
      // oxlint-disable-next-line require-yield -- a log that says nothing
      async *subscribe({ signal }) {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    };
    const error: unknown = await openProcess(silent, 1)
      .list(alice)
      .then(String, (reason: unknown) => reason);
    expect(error).to.be.instanceOf(ReadModelUnavailable);
  });
}

describe("agents, followed in the log", () => {
  describe("on SQLite", () => {
    followsAgents(openTemporaryLog);
  });

  describe("on EventStoreDB", () => {
    let server: EventStoreDouble;
    before(async () => (server = await EventStoreDouble.start()));
    after(() => server.stop());
    followsAgents(() => openLogOn(server.url, newNamespace()));
  });
});
