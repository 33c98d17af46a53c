import { ZipArchive } from "../archive/zipArchive.js";
import { TextBuilder } from "../textBuilder.js";
import { Flow, type FlowRules } from "../xml/flow.js";
import { prefixed, readXml, mainPart, relationshipsOf, type Relationship } from "../xml/readXml.js";
import { beginSheet, readFormats, SheetRows, type Workbook } from "./sheetRows.js";
import { addGraphics, embeddedFiles, officeFacts } from "./officePackage.js";
import type { Reader } from "./reader.js";

/** Text of comments and of shapes that lie over a sheet. */
const rules: FlowRules = {
  text: new Set(["t", "text"]),
  lines: new Set(["p", "comment", "text"]),
  leftOut: new Set(["rPr", "pPr", "bodyPr", "Fallback", "rPh", "authors"]),
  apart: new Set(),
  signs: { br: () => "\n" },
  isFlowing: false,
};

/** Workbooks: sheet by sheet, a row as a line, cells apart by tabs, and then what was remarked. */
export const xlsx: Reader = {
  async read({ bytes }, context) {
    const archive = new ZipArchive(bytes, context);
    const main = mainPart(archive, "xl/workbook.xml");
    const relationships = relationshipsOf(archive, main);
    const { sheets, is1904 } = readWorkbook(archive, main, relationships);
    const workbook: Workbook = {
      strings: readStrings(archive, partOf(relationships, "sharedStrings"), context.maxCharacters),
      formats: readFormats(archive, partOf(relationships, "styles")),
      epoch: is1904 ? 1904 : 1900,
    };
    const text = new TextBuilder(context.maxCharacters);
    let isWhole = true;
    for (const { name, part } of sheets) {
      if (text.isFull) break;
      beginSheet(name, text);
      isWhole = readSheet(archive, part, workbook, text) && isWhole;
      readRemarks(archive, part, text);
    }
    const facts = { ...officeFacts(archive), pageCount: sheets.length || undefined };
    const parts = embeddedFiles(
      archive,
      sheets.map(({ part }) => part),
    );
    return { text: text.toString(), facts: isWhole ? facts : { ...facts, truncated: true }, parts };
  },
};

interface Sheet {
  readonly name: string;
  readonly part: string;
}

const partOf = (relationships: readonly Relationship[], type: string): string =>
  relationships.find((one) => one.type === type)?.target ?? `xl/${type}.xml`;

function readWorkbook(
  archive: ZipArchive,
  main: string,
  relationships: readonly Relationship[],
): { readonly sheets: readonly Sheet[]; readonly is1904: boolean } {
  const targets = new Map(relationships.map(({ id, target }) => [id, target]));
  const sheets: Sheet[] = [];
  let is1904 = false;
  readXml(archive.requiredPart(main), main, {
    open: (name, attributes) => {
      if (name === "workbookPr") is1904 = /^(1|true)$/.test(attributes.get("date1904") ?? "");
      const part = name === "sheet" ? targets.get(prefixed(attributes, "id") ?? "") : undefined;
      if (part !== undefined) sheets.push({ name: attributes.get("name") ?? "", part });
    },
  });
  return { sheets, is1904 };
}

/** Strings that cells share, in the order by which cells name them. */
function readStrings(archive: ZipArchive, part: string, maxCharacters: number): readonly string[] {
  const bytes = archive.part(part);
  const strings: string[] = [];
  if (bytes === null) return strings;
  let [string, isText] = ["", false];
  readXml(bytes, part, {
    open: (name) => {
      if (name === "rPh") return false;
      if (name === "si") string = "";
      isText = name === "t";
      return true;
    },
    text: (data) => {
      if (isText && string.length <= maxCharacters) string += data;
    },
    close: (name) => {
      isText = false;
      if (name === "si") strings.push(string);
    },
  });
  return strings;
}

/** Whether the whole sheet was read. */
function readSheet(archive: ZipArchive, part: string, workbook: Workbook, text: TextBuilder): boolean {
  const rows = new SheetRows(workbook, text);
  readXml(archive.requiredPart(part), part, rows);
  text.endLine();
  for (const line of rows.pageEnds) text.addLines(line);
  return !rows.isCut;
}

function readRemarks(archive: ZipArchive, sheet: string, text: TextBuilder): void {
  for (const { type, target } of relationshipsOf(archive, sheet)) {
    const bytes = type === "comments" || type === "threadedComment" || type === "drawing" ? archive.part(target) : null;
    if (bytes === null) continue;
    const flow = new Flow(rules, text.room);
    readXml(bytes, target, flow);
    text.addLines(flow.toString());
    addGraphics(archive, target, text);
  }
}
