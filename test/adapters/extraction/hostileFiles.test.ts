import { gzipSync } from "node:zlib";
import { expect } from "chai";
import * as fc from "fast-check";
import type { Extraction } from "../../../commands/ports.js";
import { ExtractionPool } from "../../../src/adapters/extraction/pool/extractionPool.js";
import { carriedString } from "../../../src/shared/carriedText.js";
import { deepPage, longPage } from "../../support/files/hostile.js";
import { docx, paragraph, properties, relationships, xlsx } from "../../support/files/office.js";
import { cellTexts, iwork, runningText } from "../../support/files/iwork.js";
import { binaryWorkbook, powerPoint97, word97 } from "../../support/files/oldOffice.js";
import { openDocument } from "../../support/files/openDocument.js";
import { read } from "../../support/files/readings.js";
import { propertyRuns } from "../../support/propertyRuns.js";

const mutationsOfEach = 400;

interface Mutation {
  readonly kind: "byte" | "zero" | "cut" | "repeat";
  readonly at: number;
  readonly value: number;
}

const mutations = (file: Buffer): fc.Arbitrary<readonly Mutation[]> =>
  fc.array(
    fc.record({
      kind: fc.constantFrom("byte", "byte", "byte", "zero", "cut", "repeat"),
      at: fc.nat({ max: file.length - 1 }),
      value: fc.nat({ max: 255 }),
    }),
    { minLength: 1, maxLength: 6 },
  );

/** A file with some bytes changed, a piece of it twice, or cut off. */
function mutate(bytes: Buffer, { kind, at, value }: Mutation): Buffer {
  if (kind === "cut") return bytes.subarray(0, Math.max(1, at));
  if (kind === "repeat") return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - value))]);
  const changed = Buffer.from(bytes);
  if (at < bytes.length) changed[at] = kind === "zero" ? 0 : value;
  return changed;
}

const files: Readonly<Record<string, Buffer>> = {
  DOCX: docx(
    paragraph("One") + `<w:tbl><w:tr><w:tc>${paragraph("Two")}</w:tc></w:tr></w:tbl>`,
    { footnotes: `<w:footnote>${paragraph("Note")}</w:footnote>`, header1: paragraph("Head") },
    { "docProps/core.xml": properties("<dc:title>Plan</dc:title>") },
  ),
  XLSX: xlsx(
    {
      A: '<row><c t="s"><v>0</v></c><c s="1"><v>45413</v></c></row>',
      B: '<row><c t="inlineStr"><is><t>x</t></is></c></row>',
    },
    ["<t>Name</t>"],
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>',
    { "xl/worksheets/_rels/sheet1.xml.rels": relationships(["c", "comments", "../comments1.xml"]) },
  ),
  DOC: word97({ body: [{ text: "One\r" }, { text: "Zwei Ω\r", isWide: true }], footnotes: "Note\r" }),
  PPT: powerPoint97([{ outline: ["Titel"], shapes: ["Kasten"], notes: "Notiz" }], "Fuß", [Buffer.from("no object")]),
  XLS: binaryWorkbook([["Name", 1.5], [true]], "biff8"),
  XLSB: binaryWorkbook([["Name", 1.5], [true]], "xlsb"),
  KEY: iwork({ "Index/Slide.iwa": [runningText("Folie"), cellTexts("Zelle")] }),
  GZ: gzipSync("text in a file"),
  ODT: openDocument("text", "<text:p>One<text:s text:c='9'/>two</text:p>"),
  RTF: Buffer.from(
    "{\\rtf1\\ansi{\\fonttbl{\\f0\\fcharset128 A;}}\\f0 \\'93\\'fa\\u8364 ?{\\pict 00}{\\footnote note}\\par}",
  ),
  EML: Buffer.from(
    "From: a@b.c\r\nTo: d@e.f\r\nSubject: =?utf-8?B?w6Q=?=\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>x\r\n--b--\r\n",
  ),
};

/** What becomes of a hostile file. Whatever stalls runs into the timeout of its test. */
async function outcome(content: Buffer | string, mimeType: string | null = null): Promise<string> {
  const extraction = await read(content, { mimeType });
  return extraction.kind === "unextractable" ? extraction.reason : extraction.kind;
}

/**
 * Their libraries may take all memory before the time of a file is over, and end the process: SheetJS, and `cfb` where
 * the entries of a directory lead back to each other. These are read as the service reads them.
 */
const inProcesses: ReadonlySet<string> = new Set(["DOC", "PPT", "XLS", "XLSB"]);

describe("files that are made to do harm", function () {
  this.timeout(600_000);

  let pool: ExtractionPool;
  before(() => {
    pool = new ExtractionPool({
      limits: { maxCharacters: 1_000_000, ocrLanguages: null },
      // One of some two thousand never comes to an end, and would cost a minute.
      timeoutMs: 10_000,
      memoryMb: 512,
      concurrency: 1,
      maxWaiting: 1,
    });
  });
  after(() => pool.close());

  const readAs = (format: string, bytes: Buffer): Promise<Extraction> =>
    inProcesses.has(format) ? pool.extract({ content: bytes, mimeType: null, charset: null, name: null }) : read(bytes);

  for (const [format, file] of Object.entries(files)) {
    it(`never end or stall who reads them: ${format} with mistakes in it`, async () => {
      await fc.assert(
        fc.asyncProperty(mutations(file), async (changes) => {
          const bytes = changes.reduce(mutate, file);
          const extraction = await readAs(format, bytes);
          if (extraction.kind === "unextractable") expect(extraction.reason).to.match(/^[A-Z][^]*\.$/);
          if (extraction.kind === "text") expect(carriedString(extraction.text)).not.to.match(/[\0\p{Surrogate}]/u);
        }),
        propertyRuns(format === "DOCX" || format === "XLSX" ? mutationsOfEach : 200),
      );
    });
  }

  it("are no danger as pages that are large, or nested a million deep", async () => {
    expect(await outcome(deepPage(), "text/html")).to.match(/too many elements/);
    expect(await outcome(longPage(), "text/html")).to.equal("text");
    expect(await outcome(`<title ${"<meta name=x ".repeat(100_000)}`, "text/html")).to.equal("text");
    expect(await outcome("<a>".repeat(1_000_000), "application/xml")).to.equal("text");
  });

  it("are cut where their text is longer than what is kept, between words, and it is said", async () => {
    const { maxCharacters } = { maxCharacters: 100 };
    const long = docx(paragraph("word ".repeat(1_000)));
    for (const content of [long, "word ".repeat(1_000), "\ud83d\ude00".repeat(1_000)]) {
      const extraction = await read(content, { maxCharacters });
      if (extraction.kind !== "text" || typeof extraction.text !== "string") return expect.fail("There is no text.");
      expect(extraction.text.length).to.be.within(90, 100);
      expect(extraction.text).to.match(/^(?:word ?)+$|^(?:\ud83d\ude00)+$/);
      expect(extraction.facts.truncated).to.equal(true);
    }
  });
});
