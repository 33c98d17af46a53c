import { expect } from "chai";
import { compoundFile } from "../../../support/files/oldOffice.js";
import { docx, paragraph, part, pptx, relationships, xlsx } from "../../../support/files/office.js";
import { readText } from "../../../support/files/readings.js";
import { zip } from "../../../support/files/zip.js";

const cached = (...values: readonly string[]): string =>
  values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join("");
const series = (name: string): string =>
  `<c:ser><c:tx><c:strRef><c:f>A1</c:f><c:strCache>${cached(name)}</c:strCache></c:strRef></c:tx>` +
  `<c:cat><c:numRef><c:f>B1</c:f><c:numCache><c:formatCode>General</c:formatCode>${cached("2024", "2025")}</c:numCache></c:numRef></c:cat>` +
  `<c:val><c:numRef><c:numCache>${cached("17")}</c:numCache></c:numRef></c:val></c:ser>`;
const chart = part("c:chartSpace", `<c:title><a:p><a:t>Umsatz</a:t></a:p></c:title>${series("Nord")}${series("Süd")}`);
const shownByChart = ["Umsatz", "Nord", "2024", "2025", "Süd"];

const lines = async (file: Buffer): Promise<readonly string[]> =>
  (await readText(file)).text.split("\n").filter((line) => line !== "");

/** A file as Windows packs one of any kind into an object. */
function packaged(name: string, content: string): Buffer {
  const [label, bytes] = [Buffer.from(`${name}\0`), Buffer.from(content)];
  const number = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
  const copy = Buffer.from("C:\\copy\0");
  const parts = [
    Buffer.alloc(6),
    label,
    label,
    Buffer.alloc(4),
    number(copy.length),
    copy,
    number(bytes.length),
    bytes,
  ];
  return compoundFile({ "\u0001Ole10Native": Buffer.concat([...parts, Buffer.alloc(4_096)]) });
}

describe("charts, diagrams and embedded files", () => {
  it("are read in Word documents: titles, series and categories once, and what other formats are put in", async () => {
    const file = docx(
      paragraph("Bericht"),
      {},
      {
        "word/_rels/document.xml.rels": relationships(
          ["c", "chart", "charts/chart1.xml"],
          ["d", "diagramData", "diagrams/data1.xml"],
          ["a", "aFChunk", "chunk.html"],
        ),
        "word/charts/chart1.xml": chart,
        "word/diagrams/data1.xml": part("dgm:dataModel", "<a:p><a:t>Ablauf</a:t></a:p>"),
        "word/chunk.html": "<html><body><p>Eingefügt</p></body></html>",
      },
    );
    expect(await lines(file)).to.deep.equal(["Bericht", ...shownByChart, "Ablauf", "Eingefügt"]);
  });

  it("are opened whatever program packed them; what is no file by itself is passed over", async () => {
    const file = zip({
      "[Content_Types].xml": "<Types><Override ContentType='wordprocessingml.document.main+xml'/></Types>",
      "word/document.xml": part("w:document", `<w:body>${paragraph("Text")}</w:body>`),
      "word/_rels/document.xml.rels": relationships(
        ["o", "oleObject", "embeddings/oleObject1.bin"],
        ["f", "oleObject", "embeddings/oleObject2.bin"],
        ["x", "package", "embeddings/Zahlen.xlsx"],
      ),
      "word/embeddings/oleObject1.bin": packaged("notiz.txt", "Notiz Ω"),
      "word/embeddings/oleObject2.bin": compoundFile({ "Equation Native": Buffer.alloc(5_000) }),
      "word/embeddings/Zahlen.xlsx": xlsx({ Blatt: '<row><c t="str"><v>Zelle</v></c></row>' }, []),
    });
    const { text, facts } = await readText(file);
    expect(text).to.equal("Text\nnotiz.txt\nNotiz Ω\nZahlen.xlsx\nBlatt\nZelle\n");
    expect(facts.parts?.map(({ name, at }) => [name, text.startsWith(name, at)])).to.deep.equal([
      ["notiz.txt", true],
      ["Zahlen.xlsx", true],
    ]);
  });

  it("are read in presentations, with what masters show and without their hints", async () => {
    const shape = (text: string, mark = ""): string =>
      `<p:sp><p:nvSpPr><p:nvPr>${mark}</p:nvPr></p:nvSpPr><a:p><a:t>${text}</a:t></a:p></p:sp>`;
    const master = shape("Click to edit", '<p:ph type="title"/>') + shape("Vertraulich");
    const file = pptx([{ shapes: ["Folie"] }], {
      "ppt/slides/_rels/slide1.xml.rels": relationships(
        ["c", "chart", "../charts/chart1.xml"],
        ["l", "slideLayout", "../slideLayouts/slideLayout1.xml"],
      ),
      "ppt/charts/chart1.xml": chart,
      "ppt/slideLayouts/slideLayout1.xml": part("p:sldLayout", shape("Vertraulich") + shape("Entwurf")),
      "ppt/slideLayouts/_rels/slideLayout1.xml.rels": relationships(["m", "slideMaster", "../slideMasters/m.xml"]),
      "ppt/slideMasters/m.xml": part("p:sldMaster", master),
    });
    expect(await lines(file)).to.deep.equal(["Folie", ...shownByChart, "Vertraulich", "Entwurf"]);
  });

  it("are read in workbooks, with what stands above and below every page", async () => {
    const ends =
      '<headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12Quartal&amp;CSeite &amp;P von &amp;N&amp;RForschung &amp;&amp; Lehre</oddHeader>' +
      "<evenHeader>&amp;LQuartal</evenHeader></headerFooter>";
    const file = xlsx({ Blatt: `<row><c t="str"><v>Zelle</v></c></row>${ends}` }, [], "", {
      "xl/worksheets/_rels/sheet1.xml.rels": relationships(["d", "drawing", "../drawings/drawing1.xml"]),
      "xl/drawings/drawing1.xml": part("xdr:wsDr", "<xdr:sp><a:p><a:t>Kasten</a:t></a:p></xdr:sp>"),
      "xl/drawings/_rels/drawing1.xml.rels": relationships(["c", "chart", "../charts/chart1.xml"]),
      "xl/charts/chart1.xml": chart,
    });
    expect(await lines(file)).to.deep.equal([
      ...["Blatt", "Zelle", "Quartal", "Seite  von", "Forschung & Lehre", "Kasten", ...shownByChart],
    ]);
  });
});
