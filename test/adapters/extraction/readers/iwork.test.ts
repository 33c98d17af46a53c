import { expect } from "chai";
import { cellTexts, chunk, iwork, runningText } from "../../../support/files/iwork.js";
import { readReason, readText } from "../../../support/files/readings.js";
import { zip } from "../../../support/files/zip.js";

describe("documents of Pages, Numbers and Keynote", () => {
  it("are read with their running text and the texts of tables, slides in their order, without masters", async () => {
    const long = "Größe ".repeat(30).trim();
    const file = iwork({
      "Index/Document.iwa": [runningText("Titel\u2028Zweite\ufffc Zeile"), runningText(long)],
      "Index/Slide-2.iwa": [runningText("Zweite Folie")],
      "Index/Slide.iwa": [runningText("Erste Folie")],
      "Index/MasterSlide-1.iwa": [runningText("Click to edit")],
      "Index/Tables/DataList.iwa": [cellTexts("Zelle eins", "Zelle zwei")],
    });
    const { text, facts } = await readText(file);
    expect(text).to.equal(`Titel\nZweite Zeile\n${long}\nErste Folie\nZweite Folie\nZelle eins\nZelle zwei\n`);
    expect(facts.mimeType).to.equal("application/vnd.apple.keynote");
  });

  it("are what they are called where they have no slides", async () => {
    const file = iwork({ "Index/Document.iwa": [runningText("Text")] });
    for (const [name, mimeType] of [
      ["a.numbers", "application/vnd.apple.numbers"],
      ["a.pages", "application/vnd.apple.pages"],
      ["a", "application/vnd.apple.pages"],
    ] as const)
      expect((await readText(file, { name })).facts.mimeType, name).to.equal(mimeType);
  });

  it("are unpacked where what came before is repeated, and refused where it never came", async () => {
    const record = runningText("abcabcabc");
    const [start, rest] = [record.subarray(0, -6), 6];
    const literal = Buffer.concat([Buffer.from([record.length, (start.length - 1) << 2]), start]);
    const copy = Buffer.from([((rest - 4) << 2) | 1, 3]);
    const part = (...pieces: readonly Buffer[]) => zip({ "Index/Document.iwa": chunk(Buffer.concat(pieces)) });
    expect((await readText(part(literal, copy))).text).to.equal("abcabcabc\n");
    expect(await readReason(part(literal, Buffer.from([((rest - 4) << 2) | 1, 200])))).to.equal(
      "The document is damaged: its text cannot be unpacked.",
    );
  });

  it("of 2009 are read from their XML", async () => {
    const page =
      '<sl:document xmlns:sl="a" xmlns:sf="b"><sf:stylesheet><sf:p>no</sf:p></sf:stylesheet><sf:text-body><sf:p>Ein<sf:tab/>Brief</sf:p></sf:text-body><sf:ct sf:s="Zelle"/></sl:document>';
    const file = zip({ "buildVersionHistory.plist": "", "index.xml": page });
    expect((await readText(file, { name: "a.pages" })).text).to.equal("Ein\tBrief\nZelle\n");
  });
});
