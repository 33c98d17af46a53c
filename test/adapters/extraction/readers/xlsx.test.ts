import { expect } from "chai";
import { formatOfCode, SheetRows } from "../../../../src/adapters/extraction/readers/sheetRows.js";
import { TextBuilder } from "../../../../src/adapters/extraction/textBuilder.js";
import { emptyRows } from "../../../support/files/hostile.js";
import { part, relationships, xlsx } from "../../../support/files/office.js";
import { readText } from "../../../support/files/readings.js";

const cell = (value: string, attributes = ""): string => `<c ${attributes}><v>${value}</v></c>`;
const row = (...cells: readonly string[]): string => `<row>${cells.join("")}</row>`;

describe("Excel workbooks", () => {
  it("are read sheet by sheet, rows as lines, whatever way a text is kept", async () => {
    const { text, facts } = await readText(
      xlsx(
        {
          Costs: row(cell("0", 't="s"'), cell("1", 't="s"')) + row("<c/>", cell("12.5")) + row("<c/>"),
          "Kosten &amp; Größe": row(
            `<c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r><rPh><t>no</t></rPh></is></c>`,
            `<c t="str"><f>A1&amp;"x"</f><v>formula_x000A_text</v></c>`,
            cell("1", 't="b"'),
            cell("#N/A", 't="e"'),
          ),
        },
        ["<t>Name</t>", "<r><t>Ri</t></r><r><t>ch</t></r><rPh><t>no</t></rPh>"],
      ),
    );
    expect(text).to.equal("Costs\nName\tRich\n12.5\n\nKosten & Größe\ninline\tformula text\tTRUE\t#N/A\n");
    expect(facts).to.deep.equal({
      mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      pageCount: 2,
    });
  });

  it("are read whatever way their parts are named", async () => {
    const file = xlsx({ Costs: row(cell("0", 't="s"')) }, ["<t>Name</t>"]);
    const written = (name: string, as: string): void => {
      for (let at = file.indexOf(name); at >= 0; at = file.indexOf(name)) file.write(as, at);
    };
    written("[Content_Types].xml", "[content_types].xml");
    written("xl/sharedStrings.xml", "xl\\sharedstrings.xml");
    written("_rels/.rels", "_rels\\.rels");
    expect((await readText(file)).text).to.equal("Costs\nName\n");
  });

  it("keep cells in their columns, within bounds", async () => {
    const at = (name: string, value: string): string => `<c r="${name}"><v>${value}</v></c>`;
    const { text } = await readText(
      xlsx({
        S: row(at("A1", "1"), at("C1", "2")) + row(at("B2", "3"), '<c r="C2"/>', at("D2", "4")) + row(at("XFD3", "5")),
      }),
    );
    expect(text).to.equal(`S\n1\t\t2\n\t3\t\t4\n${"\t".repeat(20)}5\n`);
  });

  it("show dates, times and percentages as such, and no digits that only binary fractions have", async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy hh:mm"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="20"/><xf numFmtId="10"/></cellXfs>';
    const cells = [
      ["45413", 1],
      ["45413.395833333336", 2],
      ["0.5", 3],
      ["0.07", 4],
      ["0.30000000000000004", 0],
    ];
    const { text } = await readText(
      xlsx({ S: row(...cells.map(([value, style]) => cell(String(value), `s="${style}"`))) }, [], styles),
    );
    expect(text).to.equal("S\n2024-05-01\t2024-05-01 09:30\t12:00\t7%\t0.3\n");
    const codes = ["General", '"days" 0', "[Red]0.00", "[h]:mm", "mmm", "0%", "#,##0 \\d", "yyyy;@"].map(formatOfCode);
    expect(codes).to.deep.equal(["number", "number", "number", "time", "date", "percent", "number", "date"]);
  });

  it("are read with remarks and the text of shapes", async () => {
    const file = xlsx({ S: row(cell("1")) }, [], "", {
      "xl/worksheets/_rels/sheet1.xml.rels": relationships(
        ["a", "comments", "../comments1.xml"],
        ["b", "drawing", "../drawings/drawing1.xml"],
      ),
      "xl/comments1.xml": part(
        "comments",
        "<authors><author>Bob</author></authors><comment><text><r><t>Remark</t></r></text></comment>",
      ),
      "xl/drawings/drawing1.xml": part("wsDr", "<a:p><a:r><a:t>Boxed</a:t></a:r></a:p>"),
    });
    expect((await readText(file)).text).to.equal("S\n1\nRemark\nBoxed\n");
  });

  it("are not stalled by a million empty rows, and say so where a sheet has too many cells", async () => {
    const { text, facts } = await readText(emptyRows());
    expect([text, facts.truncated]).to.deep.equal(["S\n1\n2\n", undefined]);
    const cut = new TextBuilder(100);
    const rows = new SheetRows({ strings: [], formats: [], epoch: 1900 }, cut);
    const none = new Map();
    for (let cells = 0; cells < 2_000_000; cells++) rows.open("c", none);
    expect(rows.isCut).to.equal(false);
    rows.open("c", none);
    expect([rows.isCut, rows.isDone()]).to.deep.equal([true, true]);
  });
});
