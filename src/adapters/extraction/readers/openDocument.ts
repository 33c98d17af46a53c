import { ZipArchive } from "../archive/zipArchive.js";
import { TextBuilder } from "../textBuilder.js";
import { mediaTypes } from "../detect/mediaTypes.js";
import { Flow, type FlowRules } from "../xml/flow.js";
import { collectProperties, readXml, type XmlHandler, type Attributes } from "../xml/readXml.js";
import { instantOf, languageCode, oneLine, titleOf } from "./factValues.js";
import { EncryptedFile, type FileText, type Reader } from "./reader.js";
import { beginSheet, mostCellsOfSheet, RowLine } from "./sheetRows.js";

/** A cell that is said to repeat is shown so often: a million times the same word finds nothing more. */
const mostRepeats = 16;

const leftOut: ReadonlySet<string> = new Set([
  "automatic-styles",
  "tracked-changes",
  "forms",
  "scripts",
  "desc",
  "title",
]);

/** The sheets of an OpenDocument spreadsheet: rows as lines, cells apart by tabs, remarks after their row. */
class OpenSheets implements XmlHandler {
  private looked = 0;
  private repeats = 1;
  private cell: TextBuilder | null = null;
  private remark: TextBuilder | null = null;
  private remarks: string[] = [];
  private openParagraphs = 0;
  private column = 0;
  private readonly line: RowLine;

  constructor(private readonly into: TextBuilder) {
    this.line = new RowLine(into);
  }

  /** Whether a sheet has more rows and cells than are looked at. */
  get isCut(): boolean {
    return this.looked > mostCellsOfSheet;
  }

  open(name: string, attributes: Attributes): boolean {
    if (leftOut.has(name)) return false;
    if (name === "table") this.openTable(attributes.get("name") ?? "");
    if (name === "table-row") this.looked++;
    if (name === "table-cell") this.openCell(attributes);
    if (name === "covered-table-cell") this.column += repeatsOf(attributes);
    if (name === "annotation") this.remark = new TextBuilder(this.into.room);
    if (name === "p") this.openParagraphs++;
    if (name === "s" || name === "tab" || name === "line-break") this.text(" ");
    return true;
  }

  text(data: string): void {
    if (this.openParagraphs > 0) (this.remark ?? this.cell ?? this.into).addFlowing(data);
  }

  close(name: string): void {
    if (this.isCut) return;
    if (name === "p") this.closeParagraph();
    if (name === "annotation") this.closeRemark();
    if (name === "table-cell") this.closeCell();
    if (name === "table-row") this.closeRow();
  }

  isDone(): boolean {
    return this.isCut || this.into.isFull;
  }

  private openTable(name: string): void {
    this.looked = 0;
    beginSheet(name, this.into);
  }

  private openCell(attributes: Attributes): void {
    this.looked++;
    this.repeats = repeatsOf(attributes);
    this.cell = new TextBuilder(this.into.room);
  }

  private closeParagraph(): void {
    this.openParagraphs--;
    const text = this.remark ?? this.cell;
    if (text === null) this.into.endLine();
    else text.add(" ");
  }

  private closeRemark(): void {
    this.remarks.push((this.remark?.toString() ?? "").trim());
    this.remark = null;
  }

  private closeCell(): void {
    const text = (this.cell?.toString() ?? "").trim();
    this.cell = null;
    const shown = text === "" ? 0 : Math.min(this.repeats, mostRepeats);
    for (let at = 0; at < shown; at++) this.line.add(text, this.column + at);
    this.column += this.repeats;
  }

  private closeRow(): void {
    this.line.end();
    this.column = 0;
    for (const remark of this.remarks) this.into.addLines(remark);
    this.remarks = [];
  }
}

const repeatsOf = (attributes: Attributes): number => Number(attributes.get("number-columns-repeated") ?? 1) || 1;

/** An attribute asks for so many spaces at most. */
const mostSpaces = 100;

const indexSources = ["table-of-content", "alphabetical-index", "illustration-index", "table-index", "object-index"];

/** Text of OpenDocument files. What was deleted stands in the file too, and so do patterns of tables of contents. */
export const openDocumentRules: FlowRules = {
  text: new Set(["p", "h"]),
  lines: new Set(["p", "h"]),
  leftOut: new Set([
    ...["tracked-changes", "automatic-styles", "styles", "font-face-decls", "scripts", "forms", "binary-data"],
    ...["note-citation", "page-number", "page-count", "ruby-text", "title", "desc", "hidden-text"],
    ...["bibliography-source", "user-index-source", ...indexSources.map((name) => `${name}-source`)],
  ]),
  apart: new Set([
    ...["text-box", "note-body", "annotation", "custom-shape", "rect", "ellipse", "circle", "polygon", "polyline"],
    ...["path", "line", "connector", "caption", "measure", "regular-polygon"],
  ]),
  signs: {
    s: (attributes) => " ".repeat(Math.min(Math.max(Number(attributes.get("c") ?? 1) || 1, 1), mostSpaces)),
    tab: () => "\t",
    "line-break": () => "\n",
  },
  isFlowing: true,
};

/** Documents, spreadsheets and presentations of LibreOffice and others. */
export const openDocument: Reader = {
  async read({ bytes, mimeType }, context) {
    const archive = new ZipArchive(bytes, context);
    refuseEncrypted(archive);
    const text = new TextBuilder(context.maxCharacters);
    const sheets = mimeType === mediaTypes.ods ? new OpenSheets(text) : null;
    const content = archive.requiredPart("content.xml");
    readXml(content, "content.xml", sheets ?? new Flow(openDocumentRules, context.maxCharacters, text));
    text.endLine();
    readPageEnds(archive, text, context.maxCharacters);
    const facts = readFacts(archive, () => (sheets === null ? firstHeading(content) : undefined));
    return { text: text.toString(), facts: sheets?.isCut === true ? { ...facts, truncated: true } : facts };
  },
};

function refuseEncrypted(archive: ZipArchive): void {
  const manifest = archive.part("META-INF/manifest.xml");
  if (manifest?.includes("encryption-data") === true) throw new EncryptedFile("The document is encrypted.");
}

function readPart(archive: ZipArchive, part: string, handler: XmlHandler): void {
  const bytes = archive.part(part);
  if (bytes !== null) readXml(bytes, part, handler);
}

/** On master pages, these hold nothing but places for text, or what each page shows of itself. */
const pageEndRules: FlowRules = {
  ...openDocumentRules,
  leftOut: new Set([
    ...openDocumentRules.leftOut,
    "sheet-name",
    "date",
    "time",
    "file-name",
    "header-left",
    "footer-left",
  ]),
  isLeftOut: (name, attributes) => name === "frame" && attributes.get("presentation:placeholder") === "true",
};

/** Headers, footers and what else masters show on every page, each text once. */
function readPageEnds(archive: ZipArchive, text: TextBuilder, maxCharacters: number): void {
  const flow = new Flow(pageEndRules, maxCharacters);
  readPart(archive, "styles.xml", flow);
  for (const line of new Set(flow.toString().split("\n"))) if (/[\p{L}\p{N}]/u.test(line)) text.addLines(line);
}

/** The first heading, or what stands in a paragraph for titles. */
function firstHeading(content: Buffer): string | undefined {
  let [line, isHeading] = ["", false];
  let found: string | undefined;
  readXml(content, "content.xml", {
    open: (name, attributes) => {
      if (name !== "h" && name !== "p") return;
      line = "";
      isHeading = name === "h" || attributes.get("style-name") === "Title";
    },
    text: (data) => {
      line += data;
    },
    close: (name) => {
      if ((name === "h" || name === "p") && isHeading) found ??= oneLine(line);
      if (name === "h" || name === "p") isHeading = false;
    },
    isDone: () => found !== undefined,
  });
  return found;
}

function readFacts(archive: ZipArchive, headingOf: () => string | undefined): FileText["facts"] {
  const said = new Map<string, string>();
  const handler = collectProperties(said, (name, attributes) => {
    if (name === "document-statistic") said.set("pages", attributes.get("page-count") ?? "");
  });
  readPart(archive, "meta.xml", handler);
  const pages = Number(said.get("pages"));
  return {
    title: titleOf(said.get("title"), headingOf),
    author: oneLine(said.get("initial-creator")) ?? oneLine(said.get("creator")),
    language: languageCode(said.get("language")),
    pageCount: Number.isSafeInteger(pages) && pages > 0 ? pages : undefined,
    createdAt: instantOf(said.get("creation-date")),
    modifiedAt: instantOf(said.get("date")),
  };
}
