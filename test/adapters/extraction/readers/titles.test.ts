import { expect } from "chai";
import { docx, pptx, properties, paragraph, part } from "../../../support/files/office.js";
import { openDocument } from "../../../support/files/openDocument.js";
import { readText } from "../../../support/files/readings.js";

const titleOf = async (file: Buffer | string, mimeType?: string): Promise<string | undefined> =>
  (await readText(file, mimeType === undefined ? undefined : { mimeType })).facts.title;

const heading = (style: string, text: string): string =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;

describe("the title that a file has of itself", () => {
  it("is a page's heading where its title says nothing", async () => {
    const page = (title: string, body = "<p>x</p><h1 class=a>Travel &middot; <b>by train</b></h1>"): string =>
      `<!doctype html><head><title>${title}</title></head><body>${body}</body>`;
    for (const nothing of ["", "Table of contents", "Inhaltsverzeichnis", "Untitled", "Untitled document", "Document1"])
      expect(await titleOf(page(nothing), "text/html"), nothing).to.equal("Travel · by train");
    expect(await titleOf(page("Costs &middot; all&nbsp;of &#116;hem"), "text/html")).to.equal("Costs · all of them");
    expect(await titleOf(page("Microsoft Word - Travel rules"), "text/html")).to.equal("Travel rules");
    expect(await titleOf(page("Untitled", "<p>x</p>"), "text/html")).to.equal(undefined);
    expect(await titleOf(page("Inhalt und Form"), "text/html")).to.equal("Inhalt und Form");
  });

  it("is the first heading of a Word document that was given none", async () => {
    const body = paragraph("A line") + heading("berschrift1", "Travel &amp; receipts") + heading("Heading1", "More");
    const said = (title: string): Readonly<Record<string, string>> => ({
      "docProps/core.xml": properties(`<dc:title>${title}</dc:title>`),
    });
    expect(await titleOf(docx(body))).to.equal("Travel & receipts");
    expect(await titleOf(docx(body, {}, said("Microsoft Word - Dokument1")))).to.equal("Travel & receipts");
    expect(await titleOf(docx(body, {}, said("Rules")))).to.equal("Rules");
    expect(await titleOf(docx(paragraph("A line"), {}, said("Dokument1")))).to.equal(undefined);
  });

  it("is the title of the first slide of a presentation, and the first heading of an OpenDocument text", async () => {
    const shape = (text: string, place = ""): string =>
      `<p:sp><p:nvSpPr><p:nvPr>${place}</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
    const said = { "docProps/core.xml": properties("<dc:title>PowerPoint-Präsentation</dc:title>") };
    const slide = part("p:sld", `<p:spTree>${shape("Above")}${shape("Travel", '<p:ph type="ctrTitle"/>')}</p:spTree>`);
    expect(await titleOf(pptx([{ shapes: ["Above"] }], said))).to.equal(undefined);
    const titled = pptx([{ shapes: [] }], { ...said, "ppt/slides/slide1.xml": slide });
    expect(await titleOf(titled)).to.equal("Travel");
    const text = "<text:p>Line</text:p><text:h text:outline-level='1'>Travel</text:h>";
    expect(await titleOf(openDocument("text", text))).to.equal("Travel");
  });

  it("is the first heading of Markdown that is no table of contents", async () => {
    expect(await titleOf("## Inhaltsverzeichnis\n\n- a\n\n# Reisen &middot; **alle**\n", "text/markdown")).to.equal(
      "Reisen · alle",
    );
  });
});
