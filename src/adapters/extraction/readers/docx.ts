import { ZipArchive } from "../archive/zipArchive.js";
import { TextBuilder } from "../textBuilder.js";
import { Flow, type FlowRules } from "../xml/flow.js";
import { readXml, mainPart, relationshipsOf, type Relationship } from "../xml/readXml.js";
import { officeFacts } from "./officeFacts.js";
import type { Reader } from "./reader.js";

/** Text of a Word document. A text box is written twice, for old programs once more (`Fallback`). */
const rules: FlowRules = {
  text: new Set(["t"]),
  lines: new Set(["p"]),
  leftOut: new Set(["pPr", "rPr", "sectPr", "tblPr", "trPr", "tcPr", "sdtPr", "del", "moveFrom", "Fallback", "rt"]),
  apart: new Set(["txbxContent", "footnote", "endnote", "comment"]),
  signs: {
    tab: () => "\t",
    ptab: () => "\t",
    br: () => "\n",
    cr: () => "\n",
    noBreakHyphen: () => "-",
  },
  isFlowing: false,
  isLeftOut: (name, attributes) =>
    (name === "footnote" || name === "endnote") && (attributes.get("type") ?? "normal") !== "normal",
};

/** What belongs to the body is read after it, in this order; what stands on every page comes last. */
const furtherParts = ["footnotes", "endnotes", "comments", "diagramData", "header", "footer"];

/** Word documents. */
export const docx: Reader = {
  async read(file, context) {
    const archive = new ZipArchive(file.bytes, context);
    const main = mainPart(archive, "word/document.xml");
    const text = new TextBuilder(context.maxCharacters);
    const parts = [main, ...inOrder(relationshipsOf(archive, main))];
    // The headers of a first, an odd and an even page mostly say the same.
    const seen = new Set<string>();
    for (const part of parts) {
      if (text.isFull) break;
      const bytes = part === main ? archive.requiredPart(main) : archive.part(part);
      const read = bytes === null ? "" : textOf(bytes, part, context.maxCharacters);
      if (!seen.has(read)) text.addLines(read);
      seen.add(read);
    }
    return { text: text.toString(), facts: officeFacts(archive) };
  },
};

const inOrder = (relationships: readonly Relationship[]): readonly string[] =>
  furtherParts.flatMap((type) => relationships.filter((one) => one.type === type).map(({ target }) => target));

function textOf(bytes: Buffer, part: string, maxCharacters: number): string {
  const flow = new Flow(rules, maxCharacters);
  readXml(bytes, part, flow);
  return flow.toString();
}
