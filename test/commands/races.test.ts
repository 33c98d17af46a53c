import { expect } from "chai";
import type { Commands } from "../../commands/commands.js";
import { categoryOf } from "../../src/events/streams.js";
import { toDatasourceName, toEmail } from "../../src/shared/ids.js";
import { alice, commands as examples, operator, wiki } from "../support/examples.js";
import {
  accepted,
  countOf,
  openTemporaryCommands,
  tally,
  withPrincipals,
  type CommandsUnderTest,
} from "./temporaryCommands.js";

const clients = 40;

/**
 * Clients of one process meet in its queue, those of two in the log's expected revision: both must come to the same.
 */
for (const processes of [1, 3]) {
  describe(`clients of ${processes === 1 ? "one process" : `${processes} processes`} that race`, () => {
    let under: CommandsUnderTest;
    let writers: Commands[];
    const each = <Value>(ask: (commands: Commands, client: number) => Value): Value[] =>
      Array.from({ length: clients }, (_, client) => ask(writers[client % writers.length] as Commands, client));
    const recordedCount = async (type: Parameters<typeof countOf>[1]): Promise<number> =>
      countOf(await under.recorded(), type);

    beforeEach(async () => {
      under = await openTemporaryCommands();
      writers = [under.commands];
      while (writers.length < processes) writers.push(await under.another());
    });
    afterEach(() => under.close());

    it("register one datasource: one wins, the others conflict", async () => {
      const outcomes = await tally(
        each((commands) => commands.registerDatasource(examples.registerDatasource, operator)),
      );
      expect(outcomes).to.deep.equal({ accepted: 1, DatasourceExists: clients - 1 });
      expect(await recordedCount("DatasourceRegistered")).to.equal(1);
    });

    it("register one user: one wins, the others conflict", async () => {
      await withPrincipals(under.commands, {});
      const outcomes = await tally(each((commands) => commands.registerUser(examples.registerUser, operator)));
      expect(outcomes).to.deep.equal({ accepted: 1, UserExists: clients - 1 });
      expect(await recordedCount("UserRegistered")).to.equal(1);
    });

    it("create one group: one wins, the others conflict", async () => {
      await withPrincipals(under.commands, {});
      const outcomes = await tally(each((commands) => commands.createGroup(examples.createGroup, operator)));
      expect(outcomes).to.deep.equal({ accepted: 1, GroupExists: clients - 1 });
      expect(await recordedCount("GroupCreated")).to.equal(1);
    });

    it("rename different groups to one name: one wins, the others conflict", async () => {
      const groups = Array.from({ length: clients }, (_, client) => `g${client}`);
      await withPrincipals(under.commands, { groups });
      const outcomes = await tally(
        each((commands, client) =>
          commands.renameGroup({ datasource: wiki, name: `g${client}`, newName: "one" }, operator),
        ),
      );
      expect(outcomes).to.deep.equal({ accepted: 1, GroupExists: clients - 1 });
    });

    it("add one person to one group: one wins, the others conflict", async () => {
      await withPrincipals(under.commands, { users: [alice], groups: ["staff"] });
      const outcomes = await tally(each((commands) => commands.addMembership(examples.addMembership, operator)));
      expect(outcomes).to.deep.equal({ accepted: 1, MembershipExists: clients - 1 });
      expect(await recordedCount("MembershipAdded")).to.equal(1);
    });

    it("remove one membership: one wins, the others find none", async () => {
      await withPrincipals(under.commands, { users: [alice], groups: ["staff"] });
      await accepted(under.commands.addMembership(examples.addMembership, operator));
      const outcomes = await tally(each((commands) => commands.removeMembership(examples.removeMembership, operator)));
      expect(outcomes).to.deep.equal({ accepted: 1, MembershipNotFound: clients - 1 });
    });

    it("close a cycle from both sides: one side wins, the other is told the way round", async () => {
      await withPrincipals(under.commands, { groups: ["a", "b"] });
      const join = (commands: Commands, group: string, member: string) =>
        commands.addMembership({ datasource: wiki, group, member: { kind: "group", name: member } }, operator);
      const outcomes = await tally(
        each((commands, client) => (client % 2 === 0 ? join(commands, "a", "b") : join(commands, "b", "a"))),
      );
      expect(outcomes).to.deep.equal({ accepted: 1, MembershipExists: clients / 2 - 1, MembershipCycle: clients / 2 });
      expect(await recordedCount("MembershipAdded")).to.equal(1);
    });

    it("close a long ring, an edge each: all but one win", async () => {
      await withPrincipals(under.commands, { groups: Array.from({ length: clients }, (_, client) => `g${client}`) });
      const outcomes = await tally(
        each((commands, client) =>
          commands.addMembership(
            { datasource: wiki, group: `g${(client + 1) % clients}`, member: { kind: "group", name: `g${client}` } },
            operator,
          ),
        ),
      );
      expect(outcomes).to.deep.equal({ accepted: clients - 1, MembershipCycle: 1 });
    });

    it("create groups of their own: all win, in a stream without a gap", async () => {
      await withPrincipals(under.commands, {});
      const outcomes = await tally(
        each((commands, client) => commands.createGroup({ datasource: wiki, name: `g${client}` }, operator)),
      );
      expect(outcomes).to.deep.equal({ accepted: clients });
      const graph = (await under.recorded()).filter(({ stream }) => categoryOf(stream) === "groupGraph");
      expect(graph.map(({ revision }) => revision)).to.deep.equal(graph.map((_, index) => index));
      expect(new Set(graph.map(({ id }) => id)).size).to.equal(clients);
    });

    it("index one version of a document: one is sent, the others find it indexed", async () => {
      await accepted(under.commands.registerDatasource(examples.registerDatasource, operator));
      const answers = await Promise.all(
        each((commands) => accepted(commands.indexDocument(examples.indexDocument, operator))),
      );
      const outcomes = answers.map(({ value }) => value.outcome).sort();
      expect(outcomes).to.deep.equal([...Array.from({ length: clients - 1 }, () => "already_indexed"), "sent"]);
      expect(new Set(answers.map(({ position }) => position)).size).to.equal(1);
      expect(await recordedCount("DocumentIndexed")).to.equal(1);
    });

    it("index documents while their datasource is deleted: none outlives it", async () => {
      await accepted(under.commands.registerDatasource(examples.registerDatasource, operator));
      const outcomes = await tally([
        ...each((commands, client) =>
          commands.indexDocument({ ...examples.indexDocument, documentId: `d${client}` as never }, operator),
        ),
        (writers.at(-1) as Commands).deleteDatasource({ name: wiki }, operator),
      ]);
      const recorded = await under.recorded();
      const behind = recorded.slice(recorded.findIndex(({ event }) => event.type === "DatasourceDeleted") + 1);
      const newest = new Map(behind.map(({ stream, event }) => [stream, event.type]));
      expect([...newest.values()].filter((type) => type !== "DocumentDeleted")).to.deep.equal([]);
      expect((outcomes["accepted"] ?? 0) + (outcomes["DatasourceNotFound"] ?? 0)).to.equal(clients + 1);
    });

    it("register, delete and register again: incarnations never mix", async () => {
      const name = toDatasourceName("wiki");
      const outcomes = await tally(
        each((commands, client) =>
          client % 2 === 0
            ? commands.registerDatasource(examples.registerDatasource, operator)
            : commands.deleteDatasource({ name }, operator),
        ),
      );
      const types = (await under.recorded()).map(({ event }) => event.type);
      expect(types).to.deep.equal(
        types.map((_, index) => (index % 2 === 0 ? "DatasourceRegistered" : "DatasourceDeleted")),
      );
      expect(types).to.have.length(outcomes["accepted"] ?? 0);
    });

    it("give one person memberships of many groups: all win", async () => {
      const groups = Array.from({ length: clients }, (_, client) => `g${client}`);
      await withPrincipals(under.commands, { users: ["bob@example.org"], groups });
      const email = toEmail("bob@example.org");
      const outcomes = await tally(
        each((commands, client) =>
          commands.addMembership({ datasource: wiki, group: `g${client}`, member: { kind: "user", email } }, operator),
        ),
      );
      expect(outcomes).to.deep.equal({ accepted: clients });
    });
  });
}
