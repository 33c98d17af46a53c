import { expect } from "chai";
import iconv from "iconv-lite";
import { binaryWorkbook, powerPoint97, summary, word6, word97 } from "../../../support/files/oldOffice.js";
import { read, readReason, readText } from "../../../support/files/readings.js";

const field = '\u0013 HYPERLINK "http://x" \u0013 INNER \u0014shown\u0015 \u0014a link\u0015';

describe("Word documents of before 2007", () => {
  it("are read in their pieces, with notes and headers, each line of a header once, and without instructions", async () => {
    const file = word97(
      {
        body: [
          { text: "Größe\rA" },
          { text: "lpen — Ω\r", isWide: true },
          { text: `cell\u0007other\u0007\u0007${field}\r` },
        ],
        footnotes: "\u0002 Eine Fußnote\r",
        headers: "Kopf\rKopf\r",
      },
      {
        "\u0005SummaryInformation": summary({
          title: "Übersicht",
          author: "Ada",
          created: new Date("2004-05-01T08:00:00Z"),
        }),
      },
    );
    const { text, facts } = await readText(file, { name: "a.doc" });
    expect(text).to.equal("Größe\nAlpen — Ω\ncell\tother\na link\n Eine Fußnote\nKopf\n");
    expect(facts).to.deep.equal({
      mimeType: "application/msword",
      title: "Übersicht",
      author: "Ada",
      createdAt: "2004-05-01T08:00:00.000Z",
    });
  });

  it("are read from Word 6 on, in the code page of their language", async () => {
    const russian = word6(iconv.encode("Договор\r", "windows-1251"), 0x419);
    expect((await readText(russian)).text).to.equal("Договор\n");
    expect((await readText(word6(Buffer.from("Stra\xdfe\r", "latin1"), 0x407))).text).to.equal("Straße\n");
  });

  it("are refused where they are encrypted or damaged, each with its reason", async () => {
    expect(await readReason(word97({ body: [{ text: "secret" }], isEncrypted: true }))).to.equal(
      "The document is encrypted.",
    );
    const file = word97({ body: [{ text: "text" }] });
    file[file.indexOf(Buffer.from([1, 2, 0, 9, 9])) + 5] = 7;
    expect(await readReason(file)).to.equal("The document is damaged: its text cannot be found.");
    expect(await readReason(file.subarray(0, 600), { name: "a.doc" })).to.match(/damaged/);
  });
});

describe("presentations of before 2007", () => {
  it("are read slide by slide with their notes, as they were saved last, and what a master shows once", async () => {
    const file = powerPoint97(
      [
        { outline: ["Titel", "Punkt eins\rPunkt zwei"], shapes: ["Kasten Ω"], notes: "Sag hallo" },
        { outline: ["Zweite"], shapes: ["*"] },
      ],
      "Vertraulich",
      [word97({ body: [{ text: "Tabelle\r" }] }), Buffer.from("no object")],
    );
    const { text, facts } = await readText(file);
    expect(text).to.equal(
      "Titel\nPunkt eins\nPunkt zwei\nKasten Ω\nSag hallo\nZweite\nVertraulich\nObject 1\nTabelle\n",
    );
    expect(facts).to.include({ mimeType: "application/vnd.ms-powerpoint", pageCount: 2 });
    expect(facts.parts?.map(({ name, mimeType }) => [name, mimeType])).to.deep.equal([
      ["Object 1", "application/msword"],
    ]);
  });
});

describe("workbooks in binary", () => {
  const rows = [["Größe", "Tag", "Anteil"], [12.5, new Date("2024-05-01T00:00:00Z"), true], [], ["Ω"]];

  for (const [kind, mimeType] of [
    ["biff8", "application/vnd.ms-excel"],
    ["xlsb", "application/vnd.ms-excel.sheet.binary.macroenabled.12"],
  ] as const)
    it(`are read as those in XML are (${kind})`, async () => {
      const { text, facts } = await readText(binaryWorkbook(rows, kind));
      expect(text).to.equal("Kosten\nGröße\tTag\tAnteil\n12.5\t2024-05-01\tTRUE\nΩ\n");
      expect(facts).to.include({ mimeType, pageCount: 1 });
    });

  it("are refused in some seconds where a formula breaks off", async () => {
    const file = binaryWorkbook([[1.5]], "biff8");
    const number = file.indexOf(Buffer.from([0x03, 0x02, 0x0e, 0x00]));
    const formulaRecord = 0x0006;
    file.writeUInt16LE(formulaRecord, number);
    expect(await readReason(file, { name: "a.xls" })).to.match(/^The workbook is damaged/);
  });

  it("are refused where they break off", async () => {
    const file = binaryWorkbook(rows, "biff8");
    const { kind } = await read(file.subarray(0, 1_000), { name: "a.xls" });
    expect(kind).to.equal("unextractable");
  });
});
