import { ZipArchive } from "../archive/zipArchive.js";
import { TextBuilder } from "../textBuilder.js";
import { Flow, type FlowRules } from "../xml/flow.js";
import { readXml, mainPart, targetsOf } from "../xml/readXml.js";
import { addGraphics, embeddedFiles, officeFacts } from "./officePackage.js";
import { oneLine } from "./factValues.js";
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

/** What belongs to the body is read after it, in this order. */
const notes = ["footnotes", "endnotes", "comments"];
/** What stands on every page comes last. */
const pageEnds = ["header", "footer"];

/** Word documents. */
export const docx: Reader = {
  async read(file, context) {
    const archive = new ZipArchive(file.bytes, context);
    const main = mainPart(archive, "word/document.xml");
    const text = new TextBuilder(context.maxCharacters);
    const [after, last] = [targetsOf(archive, main, notes), targetsOf(archive, main, pageEnds)];
    // The headers of a first, an odd and an even page mostly say the same.
    const seen = new Set<string>();
    const add = (part: string, bytes: Buffer | null): void => {
      const read = bytes === null || text.isFull ? "" : textOf(bytes, part, context.maxCharacters);
      if (!seen.has(read)) text.addLines(read);
      seen.add(read);
    };
    const body = archive.requiredPart(main);
    add(main, body);
    for (const part of after) add(part, archive.part(part));
    for (const part of [main, ...after]) addGraphics(archive, part, text);
    for (const part of last) add(part, archive.part(part));
    const parts = embeddedFiles(archive, [main, ...after, ...last]);
    return { text: text.toString(), facts: officeFacts(archive, () => firstHeading(body, main)), parts };
  },
};

/** The styles of titles, as Word calls them in the languages that it speaks here. */
const titleStyle = /^(?:title|titel|titre|heading ?1|(?:ü|ue)?berschrift ?1|titre1)$/i;

/** The first paragraph that is a title or a heading of the first level. */
function firstHeading(body: Buffer, part: string): string | undefined {
  let [line, isHeading] = ["", false];
  let found: string | undefined;
  readXml(body, part, {
    open: (name, attributes) => {
      if (name === "p") [line, isHeading] = ["", false];
      if (name === "pStyle") isHeading = titleStyle.test(attributes.get("val") ?? "");
    },
    text: (data) => {
      line += data;
    },
    close: (name) => {
      if (name === "p" && isHeading) found ??= oneLine(line);
    },
    isDone: () => found !== undefined,
  });
  return found;
}

function textOf(bytes: Buffer, part: string, maxCharacters: number): string {
  const flow = new Flow(rules, maxCharacters);
  readXml(bytes, part, flow);
  return flow.toString();
}
