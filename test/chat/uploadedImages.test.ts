import { expect } from "chai";
import type { UploadedFile } from "../../src/readModels/uploadedFiles.js";
import { toFileId } from "../../src/shared/ids.js";
import { says, seenIn } from "../support/models/scriptedModel.js";
import { question, small, startChat, type ChatUnderTest } from "./chatUnderTest.js";

const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);
const texts: Readonly<Record<string, string>> = { scan: "Total: 12 Euro.", photo: "", drawing: "" };

const fileOf = (id: string): UploadedFile =>
  ({
    ...{ fileId: toFileId(id), name: `${id}.png`, uploadedAt: "2026-01-01T00:00:00Z" },
    facts: { mimeType: id === "drawing" ? "image/tiff" : "image/png" },
    content: { bytes: bytes.length },
  }) as UploadedFile;

const files = {
  find: (_owner: string, id: string) => Promise.resolve(id in texts ? fileOf(id) : null),
  readText: (_owner: string, id: string) => Promise.resolve(texts[id] ?? null),
  readBytes: () =>
    Promise.resolve(
      (async function* () {
        yield await Promise.resolve(bytes.subarray(0, 2));
        yield bytes.subarray(2);
      })(),
    ),
};

describe("uploaded images in chat", () => {
  let seeing: ChatUnderTest;
  let blind: ChatUnderTest;
  before(async () => {
    seeing = await startChat({ files, models: [{ ...small, takesImages: true }] });
    blind = await startChat({ files });
  });
  after(async () => {
    await seeing.stop();
    await blind.stop();
  });

  const shown = async ({ model, ask }: ChatUnderTest, ...ids: readonly string[]) => {
    model.take();
    model.plays(says("I see."));
    const answer = await ask(question("How much?", { metadata: { files: ids } }));
    expect(answer.status).to.equal(200);
    const [only = expect.fail("nothing was asked")] = model.take();
    return { content: only.body.messages.at(-1)?.content, text: seenIn(only) };
  };

  it("are handed as data to a model that takes images", async () => {
    expect((await shown(seeing, "scan", "photo")).content).to.deep.equal([
      { type: "text", text: 'An image named "scan.png" follows.' },
      { type: "image_url", image_url: { url: `data:image/png;base64,${bytes.toString("base64")}` } },
      { type: "text", text: 'An image named "photo.png" follows.' },
      { type: "image_url", image_url: { url: `data:image/png;base64,${bytes.toString("base64")}` } },
      { type: "text", text: "How much?" },
    ]);
  });

  it("are told by what was read in them to a model that takes none", async () => {
    const { content, text } = await shown(blind, "scan");
    expect(content).to.be.a("string");
    expect(text).to.contain("Total: 12 Euro.").and.contain('"scan.png"').and.not.contain("base64");
  });

  it("are said to be there where nothing was read in them, and where no model takes their kind", async () => {
    const unseen = (name: string): string => `named "${name}" in which no text was read: you cannot see it.`;
    expect((await shown(blind, "photo")).text).to.contain(unseen("photo.png"));
    expect((await shown(seeing, "drawing")).content)
      .to.be.a("string")
      .that.contains(unseen("drawing.png"));
  });
});
