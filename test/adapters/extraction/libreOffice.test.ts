import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { findLibreOffice } from "../../../src/adapters/extraction/libreOffice.js";
import { docx, paragraph } from "../../support/files/office.js";
import { compoundFile, word97 } from "../../support/files/oldOffice.js";
import { readReason, readText } from "../../support/files/readings.js";

const visio = compoundFile({ VisioDocument: Buffer.alloc(5_000) });

describe("LibreOffice", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "libre-office-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** A program that is called as LibreOffice is, and does this. `$to` is where the converted file belongs. */
  const programThat = (does: string, memoryBytes = 1e9) => {
    const program = join(folder, "soffice");
    const place = 'while [ "$1" != --outdir ]; do shift; done; to="$2"; mkdir -p "$to"';
    writeFileSync(program, `#!/bin/sh\n${place}\n${does}\n`, { mode: 0o755 });
    return { libreOffice: { program, folder: join(folder, "converting"), memoryBytes } };
  };

  it("converts what has no reader here, and leaves nothing behind", async () => {
    const converted = join(folder, "made.docx");
    writeFileSync(converted, docx(paragraph("Zeichnung")));
    const limits = programThat(`cp ${converted} "$to/file.docx"`);
    const { text, facts } = await readText(visio, limits);
    expect([text, facts.mimeType]).to.deep.equal(["Zeichnung\n", "application/vnd.visio"]);
    expect(readdirSync(join(folder, "converting"))).to.deep.equal([]);
  });

  it("is asked where the reader here does not get on, and not where a file takes a password", async () => {
    const converted = join(folder, "made.docx");
    writeFileSync(converted, docx(paragraph("Gerettet")));
    const limits = programThat(`cp ${converted} "$to/file.docx"`);
    const damaged = compoundFile({ WordDocument: Buffer.alloc(5_000) });
    expect((await readText(damaged, limits)).text).to.equal("Gerettet\n");
    expect(await readReason(word97({ body: [{ text: "secret" }], isEncrypted: true }), limits)).to.equal(
      "The document is encrypted.",
    );
  });

  it("has as long as a file may be read, and as much memory", async () => {
    const forever = programThat("while :; do :; done");
    expect(await readReason(visio, { ...forever, timeoutMs: 1_000 })).to.equal("Converting it took too long.");
    if (!existsSync("/proc/self/statm")) return;
    const hungry = programThat("(head -c 100000000 /dev/zero; sleep 60) | tail -c 100000000", 50_000_000);
    expect(await readReason(visio, { ...hungry, timeoutMs: 60_000 })).to.equal("Converting it took too much memory.");
  });

  it("says so where it does not know the file, or is not there", async () => {
    expect(await readReason(visio, programThat("exit 1"))).to.equal("LibreOffice does not know how to read the file.");
    expect(await readReason(visio)).to.equal(
      "Text cannot be extracted from application/vnd.visio. Send its text, or save it as PDF.",
    );
  });

  it("reads for itself (skipped where it is not installed)", async function () {
    const program = findLibreOffice(process.env["PATH"] ?? "");
    if (program === null) return this.skip();
    const limits = { libreOffice: { program, folder, memoryBytes: 1e9 }, timeoutMs: 100_000 };
    const declared = { mimeType: "application/vnd.stardivision.writer", form: "typed" } as const;
    expect((await readText("{\\rtf1\\ansi Gr\\'f6\\'dfe\\par}", { ...limits, ...declared })).text).to.equal("Größe\n");
  });
});
