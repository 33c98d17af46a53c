import { expect } from "chai";
import * as fc from "fast-check";
import type { Commands, IndexDocument } from "../../../commands/commands.js";
import { toDatasourceName, toDocumentId } from "../../../src/shared/ids.js";
import { commands as examples, limitedTo, operator, wiki } from "../../support/examples.js";
import { propertyRuns } from "../../support/propertyRuns.js";
import { accepted, countOf, openTemporaryCommands, type CommandsUnderTest } from "../temporaryCommands.js";

const document = (id: string, change: Partial<IndexDocument> = {}): IndexDocument => ({
  ...examples.indexDocument,
  documentId: toDocumentId(id),
  ...change,
});

describe("an array of documents", () => {
  let under: CommandsUnderTest;
  let commands: Commands;
  beforeEach(async () => {
    under = await openTemporaryCommands();
    commands = under.commands;
    await accepted(commands.registerDatasource(examples.registerDatasource, operator));
  });
  afterEach(() => under.close());

  const outcomes = async (...documents: readonly IndexDocument[]) =>
    (await commands.indexDocuments(documents, operator)).value.map(({ outcome }) => outcome);

  it("sent: each with its outcome, in the order given", async () => {
    const ids = Array.from({ length: 700 }, (_, index) => `d${index}`);
    const { value, position } = await commands.indexDocuments(
      ids.map((id) => document(id)),
      operator,
    );
    expect(value.map(({ documentId, outcome }) => [documentId, outcome])).to.deep.equal(ids.map((id) => [id, "sent"]));
    const recorded = await under.recorded();
    expect(countOf(recorded, "DocumentIndexed")).to.equal(700);
    expect(position).to.equal(recorded.at(-1)?.position);
  });

  it("logged in the order given, also where they are of several datasources, old ones and new ones", async () => {
    const other = toDatasourceName("other");
    await accepted(commands.registerDatasource({ ...examples.registerDatasource, name: other }, operator));
    const datasourceOf = (index: number) => (index % 3 === 0 ? other : wiki);
    // Half a hundred streams of one datasource in a row were new: those of it are no longer read before they are
    // written.
    const before = Array.from({ length: 50 }, (_, index) => document(`n${index}`));
    await commands.indexDocuments(before, operator);
    const asked = Array.from({ length: 300 }, (_, index) => document(`d${index}`, { datasource: datasourceOf(index) }));
    await commands.indexDocuments(asked, operator);
    const logged = (await under.recorded()).flatMap(({ event }) =>
      event.type === "DocumentIndexed" ? [event.data.documentId] : [],
    );
    expect(logged.slice(50)).to.deep.equal(asked.map(({ documentId }) => documentId));
  });

  it("failed: a restricted document that the push would open, where that is not to happen", async () => {
    const open = { access: null, lastModified: null };
    const neverWidens = { ...operator, neverWidens: true };
    expect(await outcomes(document("a"), document("b", open))).to.deep.equal(["sent", "sent"]);
    const { value } = await commands.indexDocuments(
      [document("a", open), document("b", open), document("c", open)],
      neverWidens,
    );
    expect(value.map(({ outcome }) => outcome)).to.deep.equal(["failed", "sent", "sent"]);
    expect(await commands.indexDocument(document("a", open), neverWidens)).to.deep.equal({
      ok: false,
      error: { type: "WouldWiden", documentId: "a" },
    });
  });

  it("dry run: says what would become of each, and writes nothing", async () => {
    const open = { access: null };
    await accepted(commands.indexDocument(document("a"), operator));
    const before = await under.recorded();
    const asked = [document("a"), document("a", open), document("b"), document("c", { sub: "x" })];
    const { value } = await commands.indexDocuments(asked, { ...operator, dryRun: true });
    const would = "Nothing was written: the document would be sent to the indexing pipeline.";
    expect(value.map(({ outcome, message }) => `${outcome}: ${message}`)).to.deep.equal([
      "already_indexed: last_modified and permissions are unchanged: the indexed version stays.",
      `sent: ${would} It is restricted; every user registered on the datasource would see it.`,
      `sent: ${would}`,
      'failed: INVALID_DATA_SOURCE_SUB: data_source_sub "x" is not a top-level sub of the datasource. Valid keys: "guides", "policies".',
    ]);
    expect(await under.recorded()).to.deep.equal(before);
    expect(await outcomes(document("b"))).to.deep.equal(["sent"]);
  });

  it("failed: what would be an HTTP error for one document stops no other", async () => {
    const absent = document("b", { datasource: toDatasourceName("absent") });
    const { value } = await commands.indexDocuments(
      [document("a"), absent, document("c", { sub: "x" }), document("d")],
      operator,
    );
    expect(value).to.deep.equal([
      { documentId: "a", outcome: "sent", message: "document sent to the indexing pipeline." },
      { documentId: "b", outcome: "failed", message: 'Datasource "absent" does not exist: register it first.' },
      {
        documentId: "c",
        outcome: "failed",
        message:
          'INVALID_DATA_SOURCE_SUB: data_source_sub "x" is not a top-level sub of the datasource. Valid keys: "guides", "policies".',
      },
      { documentId: "d", outcome: "sent", message: "document sent to the indexing pipeline." },
    ]);
  });

  it("failed: documents of datasources that the service account is not for", async () => {
    const { value } = await commands.indexDocuments(
      [document("a"), document("b", { datasource: toDatasourceName("other") })],
      limitedTo("other"),
    );
    expect(value.map(({ outcome, message }) => [outcome, message])).to.deep.equal([
      ["failed", 'This service account is not allowed to use datasource "wiki".'],
      ["failed", 'Datasource "other" does not exist: register it first.'],
    ]);
  });

  it("repeated: the same id twice is decided after the first", async () => {
    const later = { lastModified: "2024-06-01" };
    expect(
      await outcomes(document("a"), document("a"), document("a", later), document("a", later), document("b")),
    ).to.deep.equal(["sent", "already_indexed", "sent", "already_indexed", "sent"]);
  });

  it("skipped: the old version stays", async () => {
    const body = { kind: "unextractable", reason: "The file is encrypted.", mimeType: "application/pdf" } as const;
    expect(await outcomes(document("a"), document("a", { body, lastModified: null }), document("a"))).to.deep.equal([
      "sent",
      "skipped",
      "already_indexed",
    ]);
  });

  it("leaves the event loop its turns, also where nothing has to be written", async () => {
    const documents = Array.from({ length: 1_000 }, (_, index) => document(`d${index}`));
    await commands.indexDocuments(documents, operator);
    let [turns, isOver] = [0, false];
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const { value } = await commands.indexDocuments(documents, operator);
    isOver = true;
    expect(value.every(({ outcome }) => outcome === "already_indexed")).to.equal(true);
    expect(turns).to.be.at.least(20);
  });

  it("is nothing where it is empty", async () => {
    expect(await commands.indexDocuments([], operator)).to.deep.equal({ value: [], position: null });
  });

  it("rests on what was there where nothing is written", async () => {
    const sent = await accepted(commands.indexDocument(document("a"), operator));
    expect((await commands.indexDocuments([document("a")], operator)).position).to.equal(sent.position);
    const registered = (await under.recorded())[0]?.position;
    expect((await commands.indexDocuments([document("b", { sub: "x" })], operator)).position).to.equal(registered);
  });

  it("comes to the same as its documents one after the other", async () => {
    const one = fc.record({
      id: fc.constantFrom("a", "b", "c"),
      datasource: fc.constantFrom(wiki, wiki, wiki, toDatasourceName("absent")),
      lastModified: fc.constantFrom(null, "2024-05-01T10:00:00Z", "2024-05-02T10:00:00Z"),
      access: fc.constantFrom(null, { anonymous: false, users: [], groups: ["staff"] }),
      sub: fc.constantFrom(null, "guides", "x"),
    });
    let incarnation = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(one, { maxLength: 30 }), async (drawn) => {
        incarnation++;
        const documents = (prefix: string) =>
          drawn.map(({ id, ...change }) => document(`${prefix}${incarnation}-${id}`, { ...change, childSub: null }));
        const { value: together } = await commands.indexDocuments(documents("x"), operator);
        const alone: string[] = [];
        for (const each of documents("y")) {
          const answer = await commands.indexDocument(each, operator);
          alone.push(answer.ok ? `${answer.value.value.outcome} ${answer.value.value.message}` : "failed");
        }
        expect(
          together.map(({ outcome, message }) => (outcome === "failed" ? outcome : `${outcome} ${message}`)),
        ).to.deep.equal(alone);
      }),
      propertyRuns(40),
    );
  });
});
