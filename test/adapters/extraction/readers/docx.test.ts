import { expect } from "chai";
import { entityBomb } from "../../../support/files/hostile.js";
import { docx, paragraph, part, properties, relationships } from "../../../support/files/office.js";
import { readReason, readText } from "../../../support/files/readings.js";

const lines = async (file: Buffer): Promise<readonly string[]> =>
  (await readText(file)).text.split("\n").filter((line) => line !== "");
const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;

describe("Word documents", () => {
  it("are read paragraph by paragraph, tables too", async () => {
    const cell = (text: string): string => `<w:tc><w:tcPr/>${paragraph(text)}</w:tc>`;
    const table = `<w:tbl><w:tblPr/><w:tr>${cell("Name")}${cell("Ada")}</w:tr></w:tbl>`;
    const broken = `<w:p>${run("one ")}<w:r><w:tab/><w:t>two</w:t><w:br/><w:t>three</w:t></w:r></w:p>`;
    expect(await lines(docx(paragraph("Größe &amp; &#x4E2D;") + table + broken))).to.deep.equal([
      "Größe & 中",
      "Name",
      "Ada",
      "one \ttwo",
      "three",
    ]);
  });

  it("are read with notes, comments, headers and footers, each once and after the body", async () => {
    const file = docx(paragraph("Body"), {
      header1: paragraph("Head"),
      header2: paragraph("Head"),
      footer1: paragraph("Foot"),
      footnotes: `<w:footnote w:type="separator">${paragraph("no")}</w:footnote><w:footnote>${paragraph("Note")}</w:footnote>`,
      endnotes: `<w:endnote>${paragraph("End")}</w:endnote>`,
      comments: `<w:comment w:author="Bob">${paragraph("Remark")}</w:comment>`,
    });
    expect(await lines(file)).to.deep.equal(["Body", "Note", "End", "Remark", "Head", "Foot"]);
  });

  it("are read with what is in text boxes, once, after the paragraph that they hang on", async () => {
    const box = `<w:txbxContent>${paragraph("Boxed")}</w:txbxContent>`;
    const twice = `<w:r><mc:AlternateContent><mc:Choice Requires="wps">${box}</mc:Choice><mc:Fallback><w:pict><v:textbox>${box}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>`;
    const old = `<w:r><w:pict><v:textbox>${box.replace("Boxed", "Old box")}</v:textbox></w:pict></w:r>`;
    expect(await lines(docx(`<w:p>${run("before ")}${twice}${run("after")}${old}</w:p>`))).to.deep.equal([
      "before after",
      "Boxed",
      "Old box",
    ]);
  });

  it("are read without what was deleted, moved away, or stands for a field", async () => {
    const changed = [
      `<w:del>${run("deleted").replaceAll("w:t", "w:delText")}</w:del>`,
      `<w:moveFrom>${run("moved")}</w:moveFrom>`,
      `<w:ins>${run("inserted ")}</w:ins>`,
      `<w:r><w:instrText>PAGEREF x</w:instrText></w:r><w:hyperlink>${run("link")}</w:hyperlink>`,
    ];
    expect(await lines(docx(`<w:p>${changed.join("")}</w:p>`))).to.deep.equal(["inserted link"]);
  });

  it("tell title, author, language, times and pages", async () => {
    const core = properties(
      "<dc:title>The  Plan</dc:title><dc:creator>Ada</dc:creator><dc:language>de-AT</dc:language>" +
        "<dcterms:created>2024-05-01T09:30:00Z</dcterms:created><dcterms:modified>never</dcterms:modified>",
    );
    const { facts } = await readText(
      docx(
        paragraph("Body"),
        {},
        { "docProps/core.xml": core, "docProps/app.xml": part("Properties", "<Pages>7</Pages>") },
      ),
    );
    expect(facts).to.deep.equal({
      mimeType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      title: "The Plan",
      author: "Ada",
      language: "de",
      pageCount: 7,
      createdAt: "2024-05-01T09:30:00.000Z",
    });
  });

  it("are refused where the part with their text is missing", async () => {
    expect(
      await readReason(docx("", {}, { "_rels/.rels": relationships(["r", "officeDocument", "gone.xml"]) })),
    ).to.equal("The file is damaged: gone.xml in it is missing.");
  });

  it("are refused where their XML is damaged, defines entities, or is nested without end", async () => {
    expect(await readReason(docx("<w:p>"))).to.equal(
      "The file is damaged: word/document.xml in it is not well-formed XML.",
    );
    expect(await readReason(entityBomb())).to.match(/not well-formed/);
    expect(await readReason(docx("<w:p>".repeat(200_000)))).to.match(/nested too deep/);
  });
});
