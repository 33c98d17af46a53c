import { hash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Extraction } from "../../../commands/ports.js";
import type { RecordedEvent } from "../../../src/events/domainEvent.js";
import type { FileUploaded } from "../../../src/events/file.js";
import { fileStream } from "../../../src/events/streams.js";
import { alice, commands as examples, operator } from "../../support/examples.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";
import { accepted, openTemporaryCommands, outcome, type CommandsUnderTest } from "../temporaryCommands.js";

const referenceOf = (bytes: Uint8Array) => ({ sha256: hash("sha256", bytes), bytes: bytes.length });

describe("uploadFile", () => {
  const folder = temporaryFolder("upload");
  after(folder.remove);
  const uploadOf = (bytes: Uint8Array) => {
    const path = join(folder.path, "upload");
    writeFileSync(path, bytes);
    return { ...examples.uploadFile, path, content: referenceOf(bytes) };
  };
  let under: CommandsUnderTest;
  let extraction: Extraction;
  beforeEach(async () => {
    extraction = { kind: "text", text: "What it says.", facts: { mimeType: "application/pdf" } };
    under = await openTemporaryCommands({ extractor: { extract: () => Promise.resolve(extraction) } });
  });
  afterEach(() => under.close());
  const theUpload = async () => (await under.recorded())[0] as RecordedEvent<FileUploaded>;

  it("keeps bytes and text beside the event, for every process", async () => {
    const bytes = randomBytes(1_500_000);
    const { value: fileId, position } = await accepted(under.commands.uploadFile(uploadOf(bytes), operator));
    const recorded = await theUpload();
    expect(recorded.position).to.equal(position);
    const { data } = recorded.event;
    expect(data).to.deep.equal({
      ...{ fileId, owner: alice, uploadType: "document", name: "plan.pdf", content: referenceOf(bytes) },
      ...{ text: referenceOf(Buffer.from("What it says.")), facts: { mimeType: "application/pdf" } },
    });
    const stream = fileStream(fileId);
    expect(await under.under.contents.read({ stream, reference: data.text })).to.equal("What it says.");
    const pieces = await under.under.contents.readBytes({ stream, reference: data.content });
    const read: Uint8Array[] = [];
    for await (const piece of pieces ?? []) read.push(piece);
    expect(Buffer.concat(read).equals(bytes)).to.equal(true);
  });

  it("keeps a file that is its own text once", async () => {
    const bytes = Buffer.from("What it says.");
    await accepted(under.commands.uploadFile(uploadOf(bytes), operator));
    const { data } = (await theUpload()).event;
    expect(data.text).to.deep.equal(data.content);
  });

  it("writes nothing of what cannot be read, or is of the other type", async () => {
    const attempt = (more: object = {}) =>
      outcome(under.commands.uploadFile({ ...uploadOf(randomBytes(10)), ...more }, operator));
    extraction = { kind: "unextractable", reason: "The PDF is encrypted." };
    expect(await attempt()).to.equal("FileUnreadable");
    extraction = { kind: "unstorable" };
    expect(await attempt()).to.equal("FileUnreadable");
    extraction = { kind: "text", text: "", facts: { mimeType: "image/png" } };
    expect(await attempt()).to.equal("FileOfOtherType");
    expect(await attempt({ uploadType: "image" })).to.equal("accepted");
    extraction = { kind: "text", text: "a", facts: { mimeType: "text/plain" } };
    expect(await attempt({ uploadType: "image" })).to.equal("FileOfOtherType");
    expect(await under.recorded()).to.have.length(1);
  });
});
