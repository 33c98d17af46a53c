import { expect } from "chai";
import { openDocument, openPart } from "../../../support/files/openDocument.js";
import { readReason, readText } from "../../../support/files/readings.js";

const p = (text: string): string => `<text:p>${text}</text:p>`;

describe("OpenDocument files", () => {
  it("are read paragraph by paragraph, notes and boxes after theirs, without what was deleted", async () => {
    const body = [
      `<text:tracked-changes><text:deletion>${p("deleted")}</text:deletion></text:tracked-changes>`,
      "<text:h>Größe</text:h>",
      p(
        `one\n   two<text:s text:c="2"/>three<text:tab/>four<text:line-break/><text:note><text:note-citation>1</text:note-citation><text:note-body>${p("Note")}</text:note-body></text:note>five<office:annotation><dc:creator>Bob</dc:creator>${p("Remark")}</office:annotation> six`,
      ),
      p(`<draw:frame><svg:title>no</svg:title><draw:text-box>${p("Boxed")}</draw:text-box></draw:frame>host`),
      `<table:table><table:table-row><table:table-cell>${p("A")}</table:table-cell><table:table-cell>${p("B")}</table:table-cell></table:table-row></table:table>`,
    ].join("");
    const styles = openPart(
      "document-styles",
      `<office:styles>${p("no")}</office:styles><office:master-styles><style:header>${p("Head <text:page-number>1</text:page-number>")}</style:header><style:header-left>${p("Head ")}</style:header-left></office:master-styles>`,
    );
    const meta = openPart(
      "document-meta",
      '<office:meta><dc:title>The Plan</dc:title><meta:initial-creator>Ada</meta:initial-creator><dc:creator>Bob</dc:creator><dc:language>en-GB</dc:language><meta:creation-date>2024-05-01T09:30:00.5</meta:creation-date><meta:document-statistic meta:page-count="4"/></office:meta>',
    );
    const { text, facts } = await readText(openDocument("text", body, { "styles.xml": styles, "meta.xml": meta }));
    expect(text.split("\n").filter((line) => line !== "")).to.deep.equal([
      ...["Größe", "one two  three\tfour", "five six", "Note", "Remark", "host", "Boxed", "A", "B", "Head "],
    ]);
    expect(facts).to.deep.equal({
      mimeType: "application/vnd.oasis.opendocument.text",
      title: "The Plan",
      author: "Ada",
      language: "en",
      pageCount: 4,
      createdAt: "2024-05-01T09:30:00.500Z",
    });
  });

  it("are read sheet by sheet, whatever number of cells is said to be the same", async () => {
    const cells = (...all: readonly string[]): string => `<table:table-row>${all.join("")}</table:table-row>`;
    const cell = (text: string, attributes = ""): string =>
      `<table:table-cell ${attributes}>${text}</table:table-cell>`;
    const remark = `<office:annotation><dc:creator>Bob</dc:creator>${p("Remark")}</office:annotation>`;
    const sheet = [
      cells(cell(p("Name")), cell(p("Ada") + p("Lovelace"))),
      cells(cell("", 'table:number-columns-repeated="16384"')).replace(">", ' table:number-rows-repeated="1048576">'),
      cells(cell(p("same"), 'table:number-columns-repeated="3"'), cell(remark + p("1,50 €"))),
      cells(cell(p("x"), 'table:number-columns-repeated="1000000000"')),
    ].join("");
    const { text } = await readText(
      openDocument("spreadsheet", `<table:table table:name="Costs">${sheet}</table:table>`),
    );
    expect(text).to.equal(
      `Costs\nName\tAda Lovelace\nsame\tsame\tsame\t1,50 €\nRemark\n${Array(16).fill("x").join("\t")}\n`,
    );
  });

  it("are read slide by slide", async () => {
    const page = (text: string, notes: string): string =>
      `<draw:page><draw:frame><draw:text-box>${p(text)}</draw:text-box></draw:frame><draw:custom-shape>${p("shape")}</draw:custom-shape><presentation:notes><draw:frame><draw:text-box>${p(notes)}</draw:text-box></draw:frame></presentation:notes></draw:page>`;
    const { text } = await readText(openDocument("presentation", page("One", "Say") + page("Two", "Ask")));
    expect(text).to.equal("One\nshape\nSay\nTwo\nshape\nAsk\n");
  });

  it("are refused where they are encrypted", async () => {
    const manifest = "<manifest:manifest><manifest:encryption-data/></manifest:manifest>";
    expect(await readReason(openDocument("text", "", { "META-INF/manifest.xml": manifest }))).to.equal(
      "The document is encrypted.",
    );
  });
});
