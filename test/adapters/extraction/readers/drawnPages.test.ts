import { expect } from "chai";
import { part, relationships } from "../../../support/files/office.js";
import { readText } from "../../../support/files/readings.js";
import { zip } from "../../../support/files/zip.js";

describe("drawings of Visio", () => {
  it("are read page by page, in the order of their list, with their names and the texts of shapes", async () => {
    const page = (...texts: readonly string[]): string =>
      part(
        "PageContents",
        `<Shapes>${texts.map((text) => `<Shape><Text><cp IX="0"/>${text}</Text></Shape>`).join("")}</Shapes>`,
      );
    const file = zip({
      "[Content_Types].xml": '<Types><Override ContentType="application/vnd.ms-visio.drawing.main+xml"/></Types>',
      "_rels/.rels": relationships(["d", "officeDocument", "visio/document.xml"]),
      "visio/document.xml": part("VisioDocument", ""),
      "visio/_rels/document.xml.rels": relationships(["p", "pages", "pages/pages.xml"]),
      "visio/pages/pages.xml": part(
        "Pages",
        '<Page Name="Übersicht"><Rel r:id="b"/></Page><Page Name="Zwei"><Rel r:id="a"/></Page>',
      ),
      "visio/pages/_rels/pages.xml.rels": relationships(["a", "page", "page2.xml"], ["b", "page", "page1.xml"]),
      "visio/pages/page1.xml": page("Start\n", "Ende"),
      "visio/pages/page2.xml": page("Lager"),
    });
    const { text, facts } = await readText(file);
    expect(text).to.equal("Übersicht\nStart\nEnde\nZwei\nLager\n");
    expect(facts).to.deep.equal({ mimeType: "application/vnd.ms-visio.drawing", pageCount: 2 });
  });
});

describe("printed pages of Windows", () => {
  it("are read line by line, words apart where there is room between them", async () => {
    const glyphs = (text: string, x: number, y: number, indices = ""): string =>
      `<Glyphs UnicodeString="${text}" OriginX="${x}" OriginY="${y}" FontRenderingEmSize="10" Indices="${indices}"/>`;
    const inked =
      glyphs("Rech", 0, 20, ",60;,60;,60;,60") +
      glyphs("nung", 24, 20, ",60;,60;,60;,60") +
      glyphs("4711", 60, 20) +
      glyphs("{}{x}", 0, 40);
    const fixed = "http://schemas.microsoft.com/xps/2005/06/fixedrepresentation";
    const file = zip({
      "[Content_Types].xml":
        '<Types><Default ContentType="application/vnd.ms-package.xps-fixeddocumentsequence+xml"/></Types>',
      "_rels/.rels": `<Relationships><Relationship Id="r" Type="${fixed}" Target="/FixedDocSeq.fdseq"/></Relationships>`,
      "FixedDocSeq.fdseq":
        '<FixedDocumentSequence><DocumentReference Source="Documents/1/FixedDoc.fdoc"/></FixedDocumentSequence>',
      "Documents/1/FixedDoc.fdoc": '<FixedDocument><PageContent Source="Pages/1.fpage"/></FixedDocument>',
      "Documents/1/Pages/1.fpage": `<FixedPage>${inked}</FixedPage>`,
    });
    const { text, facts } = await readText(file);
    expect(text).to.equal("Rechnung 4711\n{x}\n");
    expect(facts).to.deep.equal({ mimeType: "application/vnd.ms-xpsdocument", pageCount: 1 });
  });
});
