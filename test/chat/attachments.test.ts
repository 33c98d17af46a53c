import { expect } from "chai";
import { readAttachments } from "../../src/chat/completion/attachments.js";
import type { AttachedFiles } from "../../src/chat/fileContext.js";
import type { UploadedFile } from "../../src/readModels/uploadedFiles.js";
import { toEmail, toFileId } from "../../src/shared/ids.js";

const image = { name: "a.png", facts: { mimeType: "image/png" }, content: { bytes: 9_000_000 } };
const files: AttachedFiles = {
  find: (_owner, fileId) => Promise.resolve({ ...image, fileId } as unknown as UploadedFile),
  readText: () => Promise.resolve(""),
  readBytes: () => Promise.resolve((async function* () {})()),
};

describe("what files of a request a model is given", () => {
  it("holds no more images at once than there is room for", async () => {
    const asked = { person: toEmail("ann@example.org"), files: ["a", "b", "c"].map(toFileId), turns: [], origin: "" };
    const options = { contextTokens: null, takesImages: true };
    const attached = await readAttachments(files, asked, options, new AbortController().signal);
    expect(attached.map(({ image: given }) => given !== null)).to.deep.equal([true, true, false]);
  });
});
