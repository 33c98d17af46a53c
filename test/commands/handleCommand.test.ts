import { expect } from "chai";
import type { Commands } from "../../commands/commands.js";
import { createCommands } from "../../commands/createCommands.js";
import type { AppendRequest, EventLog } from "../../commands/ports.js";
import { categoryOf, type StreamCategory } from "../../src/events/streams.js";
import { toDocumentId, toEmail } from "../../src/shared/ids.js";
import { commands as examples, operator, wiki } from "../support/examples.js";
import {
  accepted,
  countOf,
  now,
  openTemporaryCommands,
  outcome,
  tally,
  withPrincipals,
  type CommandsUnderTest,
} from "./temporaryCommands.js";

const group = (name: string) => ({ datasource: wiki, name });
const nest = (joined: string, name: string) =>
  ({ datasource: wiki, group: joined, member: { kind: "group", name } }) as const;

describe("handling a command", () => {
  let under: CommandsUnderTest;
  let another: Commands;
  beforeEach(async () => {
    under = await openTemporaryCommands();
    another = await under.another();
  });
  afterEach(() => under.close());

  /** Commands whose appends to one category of streams are preceded by something. */
  function interrupted(
    category: StreamCategory,
    before: (request: AppendRequest) => Promise<unknown>,
    maxAttempts?: number,
  ): Commands {
    const { log } = under.under;
    const append: EventLog["append"] = async (request) => {
      if (categoryOf(request.stream) === category) await before(request);
      return log.append(request);
    };
    return createCommands({ log: { ...log, append }, productName: "amber", now: () => now, maxAttempts });
  }

  /** Does something the first time only. */
  function once(what: () => Promise<unknown>): () => Promise<unknown> {
    let isDone = false;
    return async () => {
      if (isDone) return;
      isDone = true;
      await what();
    };
  }

  it("conflict: decided again on what another process wrote meanwhile", async () => {
    await withPrincipals(another, { groups: ["a", "b"] });
    const commands = interrupted(
      "groupGraph",
      once(() => accepted(another.addMembership(nest("a", "b"), operator))),
    );
    expect(await commands.addMembership(nest("b", "a"), operator)).to.deep.equal({
      ok: false,
      error: { type: "MembershipCycle", path: ["b", "a", "b"] },
    });
    expect(await outcome(commands.createGroup(group("c"), operator))).to.equal("accepted");
  });

  it("conflict: of commands that share an append, each is decided again", async () => {
    await withPrincipals(another, { groups: ["a"] });
    const interfere = once(() => accepted(another.createGroup(group("c"), operator)));
    let shared = 0;
    const commands = interrupted("groupGraph", async ({ events }) => {
      if (events.length === 1) return;
      shared = Math.max(shared, events.length);
      await interfere();
    });
    const answers = ["first", "b", "c", "d"].map((name) => commands.createGroup(group(name), operator));
    const others = [
      commands.addMembership(nest("a", "b"), operator),
      commands.renameGroup({ datasource: wiki, name: "b", newName: "c" }, operator),
    ];
    const outcomes = await Promise.all([...answers, ...others].map(outcome));
    expect(outcomes).to.deep.equal(["accepted", "accepted", "GroupExists", "accepted", "accepted", "GroupExists"]);
    expect(shared).to.equal(4);
    expect(countOf(await under.recorded(), "GroupCreated")).to.equal(5);
    expect(await outcome(commands.addMembership(nest("b", "a"), operator))).to.equal("MembershipCycle");
    expect(await outcome(commands.renameGroup({ datasource: wiki, name: "b", newName: "e" }, operator))).to.equal(
      "accepted",
    );
  });

  it("conflict: the ids of a command's events stay the same", async () => {
    await withPrincipals(another, {});
    const ids: (string | undefined)[] = [];
    const commands = interrupted("groupGraph", async ({ events }) => {
      ids.push(events[0]?.id);
      if (ids.length < 3) await accepted(another.createGroup(group(`other${ids.length}`), operator));
    });
    await accepted(commands.createGroup(group("mine"), operator));
    expect(ids).to.deep.equal([ids[0], ids[0], ids[0]]);
    expect((await under.recorded()).at(-1)?.id).to.equal(ids[0]);
  });

  it("rejected: TooMuchContention where others keep winning, and then nothing of it is written", async () => {
    await withPrincipals(another, {});
    let others = 0;
    const commands = interrupted(
      "groupGraph",
      () => accepted(another.createGroup(group(`other${others++}`), operator)),
      5,
    );
    const answers = ["a", "b"].map((name) => commands.createGroup(group(name), operator));
    expect(await tally(answers)).to.deep.equal({ TooMuchContention: 2 });
    expect(others).to.be.at.most(10);
    expect(countOf(await under.recorded(), "GroupCreated")).to.equal(others);
  });

  it("shares an append among commands that wait for one stream", async () => {
    await withPrincipals(another, {});
    const sizes: number[] = [];
    const commands = interrupted("groupGraph", async ({ events }) => sizes.push(events.length));
    await Promise.all(
      Array.from({ length: 600 }, (_, index) => accepted(commands.createGroup(group(`g${index}`), operator))),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).to.equal(600);
    expect(sizes.length).to.be.lessThan(10);
    expect(Math.max(...sizes)).to.be.at.most(256);
  });

  it("sees what another process wrote, without being told", async () => {
    await withPrincipals(under.commands, { users: ["alice@example.org"], groups: ["staff"] });
    await accepted(another.addMembership(examples.addMembership, operator));
    expect(await outcome(under.commands.addMembership(examples.addMembership, operator))).to.equal("MembershipExists");
    await accepted(another.renameGroup(examples.renameGroup, operator));
    expect(await outcome(under.commands.createGroup(group("everybody"), operator))).to.equal("GroupExists");
    await accepted(another.deleteDatasource({ name: wiki }, operator));
    expect(await outcome(under.commands.createGroup(group("x"), operator))).to.equal("DatasourceNotFound");
  });

  it("rejects where the log fails, and works again once the log does", async () => {
    await withPrincipals(another, { groups: ["a"] });
    let isDown = true;
    const commands = interrupted("groupGraph", async () => {
      if (isDown) throw new Error("disk full");
    });
    const failing = ["b", "c"].map((name) => commands.createGroup(group(name), operator));
    const outcomes = await Promise.allSettled(failing);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(["rejected", "rejected"]);
    isDown = false;
    expect(await tally(["b", "c", "a"].map((name) => commands.createGroup(group(name), operator)))).to.deep.equal({
      accepted: 2,
      GroupExists: 1,
    });
  });

  it("answers nothing that rests on an append which has not happened", async () => {
    await withPrincipals(another, { users: ["alice@example.org"] });
    const commands = interrupted(
      "groupGraph",
      once(() => Promise.reject(new Error("disk full"))),
    );
    const creation = commands.createGroup(examples.createGroup, operator).catch(() => "failed");
    const membership = commands.addMembership(examples.addMembership, operator);
    expect(await creation).to.equal("failed");
    expect(await outcome(membership)).to.equal("GroupNotFound");
  });

  it("withdraws a document that was written just behind its datasource's deletion", async () => {
    await accepted(another.registerDatasource(examples.registerDatasource, operator));
    const commands = interrupted(
      "document",
      once(() => accepted(another.deleteDatasource({ name: wiki }, operator))),
    );
    expect(await outcome(commands.indexDocument(examples.indexDocument, operator))).to.equal("DatasourceNotFound");
    const types = (await under.recorded()).map(({ event }) => event.type);
    expect(types).to.deep.equal(["DatasourceRegistered", "DatasourceDeleted", "DocumentIndexed", "DocumentDeleted"]);
  });

  it("withdraws a whole array that was written just behind its datasource's deletion", async () => {
    await accepted(another.registerDatasource(examples.registerDatasource, operator));
    const commands = interrupted(
      "document",
      once(() => accepted(another.deleteDatasource({ name: wiki }, operator))),
    );
    const document = (id: string) => ({ ...examples.indexDocument, documentId: toDocumentId(id) });
    const documents = ["a", "b", "c"].map(document);
    const { value } = await commands.indexDocuments([...documents, { ...examples.indexDocument, sub: "x" }], operator);
    expect(value.map(({ message }) => message.slice(0, 40))).to.deep.equal([
      ...documents.map(() => 'Datasource "wiki" does not exist: regist'),
      "INVALID_DATA_SOURCE_SUB: data_source_sub",
    ]);
    const recorded = await under.recorded();
    expect([countOf(recorded, "DocumentIndexed"), countOf(recorded, "DocumentDeleted")]).to.deep.equal([3, 3]);
  });

  describe("on a log that takes only so much at once", () => {
    /** Commands on a log that takes so many bytes of events. */
    function limited(maxBytes: number): Commands {
      const { log } = under.under;
      const append: EventLog["append"] = async (request) => {
        const bytes = JSON.stringify(request.events.map(({ event }) => event)).length;
        return bytes > maxBytes ? { kind: "tooLarge", bytes, maxBytes } : log.append(request);
      };
      return createCommands({ log: { ...log, append }, productName: "amber", now: () => now });
    }
    const naming = (id: string, people: number) => ({
      ...examples.indexDocument,
      documentId: toDocumentId(id),
      access: {
        anonymous: false,
        users: Array.from({ length: people }, (_, index) => toEmail(`person${index}@example.org`)),
        groups: [],
      },
    });

    it("rejected: TooLarge, for a document that names too many people", async () => {
      await accepted(another.registerDatasource(examples.registerDatasource, operator));
      const commands = limited(10_000);
      expect(await outcome(commands.indexDocument(naming("a", 1_000), operator))).to.equal("TooLarge");
      expect(await outcome(commands.indexDocument(naming("a", 10), operator))).to.equal("accepted");
    });

    it("failed, in the array form, for that document alone", async () => {
      await accepted(another.registerDatasource(examples.registerDatasource, operator));
      const { value } = await limited(10_000).indexDocuments(
        [naming("a", 1), naming("b", 1_000), naming("c", 1)],
        operator,
      );
      expect(value.map((one) => one.outcome)).to.deep.equal(["sent", "failed", "sent"]);
      expect(value[1]?.message).to.match(
        /^The document's permissions and properties come to \d+ bytes, and at most 10000 can be recorded: name groups/,
      );
    });

    it("writes one after the other what is too large only together", async () => {
      await withPrincipals(another, {});
      const commands = limited(1_000);
      const answers = Array.from({ length: 40 }, (_, index) => commands.createGroup(group(`g${index}`), operator));
      expect(await tally([...answers, commands.createGroup(group("g7"), operator)])).to.deep.equal({
        accepted: 40,
        GroupExists: 1,
      });
      expect(await outcome(commands.createGroup(group("x".repeat(1_000)), operator))).to.equal("TooLarge");
      expect(await outcome(commands.createGroup(group("after"), operator))).to.equal("accepted");
      expect(countOf(await under.recorded(), "GroupCreated")).to.equal(41);
    });
  });

  describe("new documents in a row", () => {
    const documents = (count: number, changed: object = {}) =>
      Array.from({ length: count }, (_, index) => ({
        ...examples.indexDocument,
        documentId: toDocumentId(`d${index}`),
        ...changed,
      }));
    /** Commands of a process that has just imported documents, and how often it has read a document since. */
    async function afterImport(): Promise<{ readonly commands: Commands; readonly read: { count: number } }> {
      const { log } = under.under;
      const read = { count: 0 };
      const readLast: EventLog["readLast"] = (stream) => {
        read.count++;
        return log.readLast(stream);
      };
      const commands = createCommands({ log: { ...log, readLast }, productName: "amber", now: () => now });
      await accepted(commands.registerDatasource(examples.registerDatasource, operator));
      const others = documents(400).map((document) => ({
        ...document,
        documentId: toDocumentId(`other-${document.documentId}`),
      }));
      await commands.indexDocuments(others, operator);
      read.count = 0;
      return { commands, read };
    }
    const outcomesOf = async (
      pushed: ReturnType<Commands["indexDocuments"]>,
    ): Promise<Readonly<Record<string, number>>> => {
      const counts: Record<string, number> = {};
      for (const { outcome: one } of (await pushed).value) counts[one] = (counts[one] ?? 0) + 1;
      return counts;
    };

    it("are written without being read", async () => {
      const { commands, read } = await afterImport();
      expect(await outcomesOf(commands.indexDocuments(documents(100), operator))).to.deep.equal({ sent: 100 });
      expect(read.count).to.equal(0);
    });

    it("are recognized where they are not new after all, and read from then on", async () => {
      const { commands, read } = await afterImport();
      await another.indexDocuments(documents(300), operator);
      const recorded = (await under.recorded()).length;
      expect(await outcomesOf(commands.indexDocuments(documents(300), operator))).to.deep.equal({
        already_indexed: 300,
      });
      expect((await under.recorded()).length).to.equal(recorded);
      expect(read.count).to.equal(300);
    });

    it("replace what another process wrote meanwhile, and say what they widen", async () => {
      const { commands } = await afterImport();
      await another.indexDocument(
        {
          ...examples.indexDocument,
          documentId: toDocumentId("d0"),
          access: { anonymous: false, users: [], groups: [] },
        },
        operator,
      );
      const { value } = await accepted(
        commands.indexDocument({ ...examples.indexDocument, documentId: toDocumentId("d0"), access: null }, operator),
      );
      expect(value.outcome).to.equal("sent");
      const { event } = (await under.recorded()).at(-1) ?? {};
      expect(event).to.have.nested.property("data.widenedToAnonymous", true);
    });

    it("are decided one after the other where an id comes twice", async () => {
      const { commands, read } = await afterImport();
      const [first] = documents(1);
      const twice = [first, first].filter((document) => document !== undefined);
      expect(await outcomesOf(commands.indexDocuments(twice, operator))).to.deep.equal({ sent: 1, already_indexed: 1 });
      expect(read.count).to.equal(1);
    });

    it("do not include what is deleted or refused", async () => {
      const { commands } = await afterImport();
      await accepted(commands.deleteDocument({ datasource: wiki, documentId: toDocumentId("other-d1") }, operator));
      expect((await under.recorded()).at(-1)?.event.type).to.equal("DocumentDeleted");
      await commands.indexDocuments(documents(100), operator);
      expect(await outcome(commands.indexDocument({ ...examples.indexDocument, sub: "x" }, operator))).to.equal(
        "DocumentSchemaViolation",
      );
    });
  });
});
