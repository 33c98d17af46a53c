import type { TextBuilder } from "../textBuilder.js";
import { type Attributes, type XmlHandler, readXml } from "../xml/readXml.js";
import type { ZipArchive } from "../archive/zipArchive.js";

/** What the cells of all sheets of a workbook refer to. */
export interface Workbook {
  readonly strings: readonly string[];
  readonly formats: readonly NumberFormat[];
  readonly epoch: 1900 | 1904;
}

/** So many rows and cells of one sheet are looked at. */
export const mostCellsOfSheet = 2_000_000;

/** A row is a line: so many tabs at most stand for the empty cells before a cell. */
const mostEmptyCells = 20;

/** A row as a line, cells apart by tabs. A cell is in its column: empty ones before it are tabs, too. */
export class RowLine {
  private last = -1;

  constructor(private readonly into: TextBuilder) {}

  /** Adds what a cell shows, by the number of its column from 0. */
  add(shown: string, column: number): void {
    if (shown.trim() === "") return;
    const tabs = this.last === -1 ? column : Math.max(1, column - this.last);
    this.into.add("\t".repeat(Math.min(tabs, mostEmptyCells)));
    this.into.add(shown.includes("\n") ? joinedLines(shown) : shown);
    this.last = column;
  }

  end(): void {
    this.into.endLine();
    this.last = -1;
  }
}

const joinedLines = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");

/** Begins a sheet: its name is a line, and a blank line stands before every sheet but the first. */
export function beginSheet(name: string, into: TextBuilder): void {
  into.endLine();
  if (into.length > 0) into.add("\n");
  into.addLines(name.replace(/\s+/g, " ").trim() || "–");
}

/** The rows of a sheet of an Excel workbook as lines, cells apart by tabs. Rows without text say nothing. */
export class SheetRows implements XmlHandler {
  readonly emptyElements = /<(?:row|c)(?: [^<>]*)?\/>/g;
  private looked = 0;
  private type = "n";
  private style = 0;
  private value = "";
  private isValue = false;
  private column = -1;
  private readonly line: RowLine;
  private pageEnd: string | null = null;
  /** What stands above and below every page, each text once. */
  readonly pageEnds = new Set<string>();

  constructor(
    private readonly workbook: Workbook,
    private readonly into: TextBuilder,
  ) {
    this.line = new RowLine(into);
  }

  /** Whether the sheet has more rows and cells than are looked at. */
  get isCut(): boolean {
    return this.looked > mostCellsOfSheet;
  }

  open(name: string, attributes: Attributes): boolean {
    if (name === "f" || name === "rPh") return false;
    if (pageEnd.test(name)) this.pageEnd = "";
    if (name === "row" || name === "c") this.looked++;
    if (name === "c") this.openCell(attributes);
    this.isValue = name === "v" || name === "t";
    return true;
  }

  text(data: string): void {
    if (this.isValue) this.value += data;
    if (this.pageEnd !== null) this.pageEnd += data;
  }

  close(name: string): void {
    this.isValue = false;
    if (this.pageEnd !== null) this.closePageEnd();
    if (this.isCut) return;
    if (name === "c") this.closeCell();
    if (name === "row") this.closeRow();
  }

  isDone(): boolean {
    return this.isCut || this.into.isFull;
  }

  private closePageEnd(): void {
    for (const text of shownPageEnd(this.pageEnd ?? "")) this.pageEnds.add(text);
    this.pageEnd = null;
  }

  private closeRow(): void {
    this.line.end();
    this.column = -1;
  }

  private openCell(attributes: Attributes): void {
    this.column = columnOf(attributes.get("r") ?? "") ?? this.column + 1;
    this.type = attributes.get("t") ?? "n";
    this.style = Number(attributes.get("s") ?? 0);
    this.value = "";
  }

  private closeCell(): void {
    this.line.add(this.shown(), this.column);
  }

  private shown(): string {
    const { type, value, workbook } = this;
    switch (type) {
      case "s":
        return unescaped(workbook.strings[Number(value)] ?? "");
      case "inlineStr":
      case "str":
        return unescaped(value);
      case "b":
        return value === "" ? "" : value === "0" ? "FALSE" : "TRUE";
      case "n":
        return shownNumber(value, workbook.formats[this.style] ?? "number", workbook.epoch);
      default:
        return value;
    }
  }
}

/** The number of a column from 0, by the name of a cell in it: `C5`; null where it is none. */
function columnOf(cell: string): number | null {
  const [letters] = /^[A-Z]{1,3}(?=\d)/.exec(cell) ?? [];
  if (letters === undefined) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

const pageEnd = /^(?:odd|even|first)(?:Header|Footer)$/;

/** Fonts, sizes, colours, numbers of pages and the like, as headers and footers write them. */
const pageCodes = /&(?:"[^"]*"|K[0-9A-F]{6}|K\d\d[+-]\d{3}|\d+|[A-JM-QS-Z])/gi;

/** The left, the middle and the right text of a header or footer. */
const shownPageEnd = (text: string): readonly string[] =>
  text
    .split(/&[LCR]/)
    .map((part) => part.replaceAll("&&", "\0").replace(pageCodes, "").replaceAll("\0", "&").trim())
    .filter((part) => part !== "");

/** Characters that XML cannot write stand as `_x000D_`. */
const unescaped = (text: string): string =>
  text.includes("_x")
    ? text.replace(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** How numbers of a cell are shown, as far as words that people look for depend on it. */
type NumberFormat = "number" | "percent" | "date" | "time" | "dateTime";

/** Formats that need no definition: the first and the last number of each row of them. */
const builtInFormats: readonly (readonly [number, number, NumberFormat])[] = [
  [9, 10, "percent"],
  [14, 17, "date"],
  [18, 21, "time"],
  [22, 22, "dateTime"],
  [27, 31, "date"],
  [32, 35, "time"],
  [45, 47, "time"],
  [50, 58, "date"],
];

const builtIn = (id: number): NumberFormat =>
  builtInFormats.find(([first, last]) => id >= first && id <= last)?.[2] ?? "number";

/** Text in quotes, escaped characters, and colours or conditions in brackets: they show nothing of the number. */
const literals = /"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^[\]]*\]/gi;

/** The format of a code such as `dd.mm.yyyy` or `0.00%`. */
export function formatOfCode(code: string): NumberFormat {
  const [positive = ""] = code.replace(literals, "").split(";");
  if (/general|standard/i.test(positive)) return "number";
  if (positive.includes("%")) return "percent";
  const hasTime = /[hs]/i.test(positive);
  const hasDate = /[dy]/i.test(positive) || (!hasTime && /m/i.test(positive));
  if (hasDate) return hasTime ? "dateTime" : "date";
  return hasTime ? "time" : "number";
}

/** The formats of a workbook, in the order by which cells name them. */
export function readFormats(archive: ZipArchive, part: string): readonly NumberFormat[] {
  const bytes = archive.part(part);
  const codes = new Map<string, NumberFormat>();
  const formats: NumberFormat[] = [];
  if (bytes === null) return formats;
  let isOfCells = false;
  readXml(bytes, part, {
    open: (name, attributes) => {
      const id = attributes.get("numFmtId") ?? "0";
      if (name === "numFmt") codes.set(id, formatOfCode(attributes.get("formatCode") ?? ""));
      if (name === "cellXfs") isOfCells = true;
      if (name === "xf" && isOfCells) formats.push(codes.get(id) ?? builtIn(Number(id)));
    },
    close: (name) => {
      if (name === "cellXfs") isOfCells = false;
    },
  });
  return formats;
}

const dayMs = 86_400_000;
/** The day before the first in workbooks of Excel, and of Excel for old Macs. */
const epochs = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) };

const lastDay = 2_958_466;

/** A number as a cell shows it, with dates as ISO 8601 writes them. */
export function shownNumber(raw: string, format: NumberFormat, epoch: keyof typeof epochs): string {
  const number = Number(raw);
  if (raw.trim() === "" || !Number.isFinite(number)) return raw;
  if (format === "percent") return `${rounded(number * 100)}%`;
  if (format === "number" || number < 0 || number >= lastDay) return rounded(number);
  const instant = new Date(Math.round((epochs[epoch] + number * dayMs) / 1_000) * 1_000).toISOString();
  const [day = "", time = ""] = instant.replace(/(:00)?\.000Z$/, "").split("T");
  if (format === "time") return time;
  return format === "date" || time === "00:00" ? day : `${day} ${time}`;
}

/** Without the digits that only binary fractions have. */
const rounded = (number: number): string => String(Number(number.toPrecision(15)));
