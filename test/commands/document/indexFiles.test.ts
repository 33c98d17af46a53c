import { expect } from "chai";
import type { Commands, IndexDocument } from "../../../commands/commands.js";
import type { Extraction, FileToExtract } from "../../../commands/ports.js";
import type { FileFacts } from "../../../src/events/document.js";
import { ExtractionBusy } from "../../../src/shared/failures.js";
import { toDatasourceName, toDocumentId } from "../../../src/shared/ids.js";
import { commands as examples, limitedTo, operator } from "../../support/examples.js";
import { accepted, countOf, openTemporaryCommands, outcome, type CommandsUnderTest } from "../temporaryCommands.js";

const pdf = "application/pdf";
const found = (text: string, facts: Partial<FileFacts> = {}): Extraction => ({
  kind: "text",
  text,
  facts: { mimeType: pdf, ...facts },
});

const fileOf = (content: string, mimeType = pdf): IndexDocument["body"] => ({
  kind: "file",
  bytes: Buffer.from(content),
  mimeType,
  charset: null,
  name: `${content}.pdf`,
});
const document = (id: string, content: string, change: Partial<IndexDocument> = {}): IndexDocument => ({
  ...examples.indexDocument,
  documentId: toDocumentId(id),
  body: fileOf(content),
  ...change,
});

describe("documents that come as files", () => {
  let under: CommandsUnderTest;
  let commands: Commands;
  /** The contents of the files that were read, in order. */
  let asked: string[];
  let answer: (content: string, file: FileToExtract) => Extraction | Promise<Extraction>;

  beforeEach(async () => {
    asked = [];
    answer = (content) => found(`text of ${content}`);
    under = await openTemporaryCommands({
      extractor: {
        async extract(file) {
          const content = file.content instanceof Uint8Array ? Buffer.from(file.content).toString() : file.content.path;
          asked.push(content);
          return answer(content, file);
        },
      },
    });
    commands = under.commands;
    await accepted(commands.registerDatasource(examples.registerDatasource, operator));
  });
  afterEach(() => under.close());

  const index = async (one: IndexDocument) => (await accepted(commands.indexDocument(one, operator))).value;
  const newest = async () => {
    const event = (await under.recorded()).at(-1)?.event;
    return event?.type === "DocumentIndexed" ? event.data : expect.fail("No document was indexed.");
  };

  it("are indexed with their text, their detected type, and what they say of themselves", async () => {
    answer = () => found("Hello", { mimeType: "application/msword", title: "T", pageCount: 3 });
    expect(await index(document("a", "four"))).to.include({ message: "document sent to the indexing pipeline." });
    expect(await newest()).to.deep.include({
      mimeType: "application/msword",
      size: 4,
      file: { mimeType: "application/msword", title: "T", pageCount: 3 },
    });
  });

  it("take the author from the file where the client named none, and keep the file's time beside the client's", async () => {
    const said = { author: "Ada", modifiedAt: "2024-01-02T03:04:05Z" };
    answer = () => found("Hello", said);
    await index(document("a", "x", { author: null, lastModified: null }));
    expect(await newest()).to.deep.include({ author: "Ada", lastModified: null, file: { mimeType: pdf, ...said } });
    await index(document("b", "x", { author: "Bob", lastModified: "2024-05-05" }));
    expect(await newest()).to.include({ author: "Bob", lastModified: "2024-05-05" });
    answer = () => found("Hello", { author: "A".repeat(600), modifiedAt: "yesterday" });
    await index(document("c", "x", { author: null, lastModified: null }));
    expect(await newest()).to.include({ author: "A".repeat(512), lastModified: null });
  });

  it("are not read where that cannot matter", async () => {
    await index(document("a", "first"));
    asked = [];
    expect(await index(document("a", "again"))).to.include({ outcome: "already_indexed" });
    const suffix = fileOf("x", "application/x-something-unheard-of");
    expect(await index(document("b", "x", { body: suffix }))).to.include({ outcome: "skipped" });
    expect(await outcome(commands.indexDocument(document("b", "x", { sub: "nowhere" }), operator))).to.equal(
      "DocumentSchemaViolation",
    );
    const absent = { datasource: toDatasourceName("absent") };
    expect(await outcome(commands.indexDocument(document("b", "x", absent), operator))).to.equal("DatasourceNotFound");
    expect(await outcome(commands.indexDocument(document("b", "x"), limitedTo("other")))).to.equal(
      "DatasourceForbidden",
    );
    const widening = commands.indexDocument(document("a", "x", { access: null }), { ...operator, neverWidens: true });
    expect(await outcome(widening)).to.equal("WouldWiden");
    expect(asked).to.deep.equal([]);
  });

  it("that cannot be read are skipped with the reason, and the old version stays", async () => {
    await index(document("a", "first"));
    answer = () => ({ kind: "unextractable", reason: "The PDF is encrypted." });
    expect(await index(document("a", "x", { lastModified: null }))).to.deep.include({
      outcome: "skipped",
      message: "The PDF is encrypted. The version indexed before stays.",
    });
    expect(await index(document("b", "x"))).to.deep.include({ outcome: "skipped", message: "The PDF is encrypted." });
    expect(countOf(await under.recorded(), "DocumentIndexed")).to.equal(1);
  });

  it("without a text are sent, and so are cut ones; the message says so", async () => {
    answer = () => found("");
    expect((await index(document("a", "x"))).message).to.equal(
      "document sent to the indexing pipeline. The file holds no text that can be read: it is found by its title and properties.",
    );
    answer = () => found("cut", { truncated: true });
    expect((await index(document("b", "x"))).message).to.equal(
      "document sent to the indexing pipeline. The text of the file is longer than what is kept of one: it was cut after 3 bytes, and what follows is not found.",
    );
  });

  it("of a type that was detected are not skipped for its suffix", async () => {
    answer = () => found("x", { mimeType: "application/x-something-unheard-of" });
    expect(await index(document("a", "x"))).to.include({ outcome: "sent" });
  });

  it("with a text that nothing can keep are refused, in an array each for itself", async () => {
    answer = (content) => (content === "nul" ? { kind: "unstorable" } : found("x"));
    expect(await outcome(commands.indexDocument(document("a", "nul"), operator))).to.equal("FileUnstorable");
    const { value } = await commands.indexDocuments([document("a", "nul"), document("b", "x")], operator);
    expect(value).to.deep.equal([
      {
        documentId: "a",
        outcome: "failed",
        message: "body.binary_base64: Value error, text may not hold NUL characters or unpaired surrogates.",
      },
      { documentId: "b", outcome: "sent", message: "document sent to the indexing pipeline." },
    ]);
  });

  it("are tried without being written", async () => {
    const dryRun = { ...operator, dryRun: true };
    const before = await under.recorded();
    answer = (content) => (content === "bad" ? { kind: "unextractable", reason: "It is damaged." } : found("x"));
    const { value } = await commands.indexDocuments([document("a", "bad"), document("b", "x")], dryRun);
    expect(value.map(({ message }) => message)).to.deep.equal([
      "It is damaged.",
      "Nothing was written: the document would be sent to the indexing pipeline.",
    ]);
    expect(await under.recorded()).to.deep.equal(before);
  });

  /** A file that is being read while `meanwhile` happens. */
  const indexSlowly = async (slow: IndexDocument, meanwhile: () => Promise<unknown>) => {
    let goOn = (_extraction: Extraction): void => expect.fail("No file is being read.");
    const earlier = answer;
    answer = (content, file) =>
      content === "slow" ? new Promise((resolve) => (goOn = resolve)) : earlier(content, file);
    const indexed = index(slow);
    while (!asked.includes("slow")) await new Promise(setImmediate);
    await meanwhile();
    goOn(found("late"));
    return indexed;
  };
  const overtaken = /^While the file was read, a later push or deletion of the document was taken/;

  it("hold up no other push of the same document, and do not undo it", async () => {
    const text = { ...examples.indexDocument, documentId: toDocumentId("a"), lastModified: "2025-01-01" };
    const late = await indexSlowly(document("a", "slow", { access: null }), async () =>
      expect(await index(text)).to.include({ outcome: "sent" }),
    );
    expect(late.outcome).to.equal("skipped");
    expect(late.message).to.match(overtaken);
    expect(await newest()).to.include({ lastModified: "2025-01-01", mimeType: "text/plain" });
  });

  it("do not bring back what was deleted meanwhile", async () => {
    await index(document("a", "first"));
    const remove = () =>
      accepted(
        commands.deleteDocument(
          { datasource: examples.indexDocument.datasource, documentId: toDocumentId("a") },
          operator,
        ),
      );
    const late = await indexSlowly(document("a", "slow", { lastModified: null }), remove);
    expect(late.message).to.match(overtaken);
    expect((await under.recorded()).at(-1)?.event.type).to.equal("DocumentDeleted");
  });

  it("of one id go one after the other, whichever is read faster", async () => {
    let second: Promise<unknown> = Promise.resolve();
    await indexSlowly(document("a", "slow", { lastModified: "2024-01-01" }), async () => {
      second = index(document("a", "quick", { lastModified: "2024-01-02" }));
      await new Promise(setImmediate);
    });
    await second;
    expect(asked).to.deep.equal(["slow", "quick"]);
    expect(await newest()).to.include({ lastModified: "2024-01-02" });
  });

  it("are decided on the datasource as it is once they are read", async () => {
    const { datasource } = examples.indexDocument;
    const close = () => accepted(commands.updateDatasource({ name: datasource, defaultAccess: "nobody" }, operator));
    await indexSlowly(document("a", "slow", { access: null }), close);
    expect((await newest()).access).to.include({ anonymous: false });
  });

  it("of one id in an array go one after the other, whatever they are, and the others do not wait", async () => {
    const waiting = new Map<string, (extraction: Extraction) => void>();
    answer = (content) => new Promise((resolve) => waiting.set(content, resolve));
    const later = { lastModified: "2024-06-01" };
    const text = { ...examples.indexDocument, documentId: toDocumentId("a"), ...later };
    const array = commands.indexDocuments(
      [
        document("a", "a1"),
        document("b", "b1"),
        text,
        document("a", "a2", later),
        document("a", "a3", { lastModified: null }),
      ],
      operator,
    );
    const until = async (content: string) => {
      while (!waiting.has(content)) await new Promise(setImmediate);
      waiting.get(content)?.(found(content));
    };
    await until("b1");
    expect(waiting.has("a3")).to.equal(false);
    await until("a1");
    await until("a3");
    const { value } = await array;
    expect(asked).to.have.members(["a1", "b1", "a3"]);
    expect(value.map(({ documentId, outcome: became }) => `${documentId} ${became}`)).to.deep.equal([
      "a sent",
      "b sent",
      "a sent",
      "a already_indexed",
      "a sent",
    ]);
  });

  it("are refused as a whole where too many wait, and nothing more is begun", async () => {
    answer = () => Promise.reject(new ExtractionBusy("Too many files wait.", 5));
    const documents = Array.from({ length: 1_000 }, (_, number) => document(`d${number}`, "x"));
    const refused = await commands.indexDocuments(documents, operator).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(ExtractionBusy);
    expect(asked.length).to.be.at.most(256);
  });
});
