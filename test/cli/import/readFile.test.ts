import { rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { readFile } from "../../../src/cli/import/readFile.js";
import { temporaryFolder } from "../../support/temporaryFolder.js";

describe("reading a file of a folder", () => {
  let folder: string;
  before(async () => (folder = temporaryFolder("text-files").path));
  after(() => rm(folder, { recursive: true, force: true }));

  async function read(name: string, content: string | Uint8Array, maxBytes = 1_000) {
    await writeFile(join(folder, name), content);
    return readFile(join(folder, name), maxBytes);
  }

  const texts: readonly (readonly [string, Uint8Array, string, string])[] = [
    ["plain.md", Buffer.from("grün"), "grün", "text/markdown"],
    ["mark.txt", Buffer.from("\ufeffgrün"), "grün", "text/plain"],
    ["sixteen.txt", Buffer.from("\ufeffgrün", "utf16le"), "grün", "text/plain"],
    ["big.txt", Buffer.from("\ufeffgrün", "utf16le").swap16(), "grün", "text/plain"],
    ["western.csv", Buffer.from("gr\u00fcn", "latin1"), "grün", "text/csv"],
    ["code.ts", Buffer.from("let a: number;"), "let a: number;", "text/plain"],
    ["Dockerfile", Buffer.from("FROM x\r\n\tRUN"), "FROM x\r\n\tRUN", "text/plain"],
    ["data.json", Buffer.from("{}"), "{}", "application/json"],
  ];
  for (const [name, content, text, mimeType] of texts) {
    it(`takes ${name} as ${mimeType}`, async () => {
      const file = await read(name, content);
      expect(file).to.include({ kind: "text", text, mimeType });
    });
  }

  const others: readonly (readonly [string, string | Uint8Array, string])[] = [
    ["picture.md", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]), "It is not text."],
    ["blank.md", " \n", "It is empty."],
    ["paper.ps", "%!PS looks like text", "Files of the type application/postscript cannot be read."],
    ["long.md", "x".repeat(1_001), "It is larger than the limit of 1000 bytes (--max-bytes)."],
  ];
  for (const [name, content, reason] of others) {
    it(`skips ${name} and says why`, async () =>
      expect(await read(name, content)).to.deep.equal({ kind: "skipped", reason }));
  }

  it("leaves files of other formats to the service, whatever is in them", async () => {
    for (const [name, mimeType] of [
      ["letter.pdf", "application/pdf"],
      ["notes.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
      ["mail.eml", "message/rfc822"],
    ] as const) {
      const file = await read(name, "looks like text");
      expect(file).to.include({ kind: "formatted", mimeType });
      expect(file).to.have.property("bytes").deep.equal(Buffer.from("looks like text"));
    }
  });

  it("gives the time of the file's last change", async () => {
    await read("old.md", "old");
    await utimes(join(folder, "old.md"), 0, new Date("2020-02-02T02:02:02.000Z"));
    expect(await readFile(join(folder, "old.md"), 10)).to.include({ lastModified: "2020-02-02T02:02:02.000Z" });
  });
});
