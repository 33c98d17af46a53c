import type { TextBuilder } from "../textBuilder.js";
import type { Attributes, XmlHandler } from "../xml/readXml.js";
import { shownNumber, type NumberFormat } from "./cellFormats.js";

/** What the cells of all sheets of a workbook refer to. */
export interface Workbook {
  readonly strings: readonly string[];
  readonly formats: readonly NumberFormat[];
  readonly epoch: 1900 | 1904;
}

/** So many rows and cells of one sheet are looked at. */
export const mostCellsOfSheet = 2_000_000;

/** The rows of a sheet of an Excel workbook as lines, cells apart by tabs. Empty cells and rows say nothing. */
export class SheetRows implements XmlHandler {
  readonly emptyElements = /<(?:row|c)(?: [^<>]*)?\/>/g;
  private looked = 0;
  private type = "n";
  private style = 0;
  private value = "";
  private isValue = false;

  constructor(
    private readonly workbook: Workbook,
    private readonly into: TextBuilder,
  ) {}

  /** Whether the sheet has more rows and cells than are looked at. */
  get isCut(): boolean {
    return this.looked > mostCellsOfSheet;
  }

  open(name: string, attributes: Attributes): boolean {
    if (name === "f" || name === "rPh" || name === "headerFooter") return false;
    if (name === "row" || name === "c") this.looked++;
    if (name === "c") this.openCell(attributes);
    this.isValue = name === "v" || name === "t";
    return true;
  }

  text(data: string): void {
    if (this.isValue) this.value += data;
  }

  close(name: string): void {
    this.isValue = false;
    if (this.isCut) return;
    if (name === "c") this.closeCell();
    if (name === "row") this.into.endLine();
  }

  isDone(): boolean {
    return this.isCut || this.into.isFull;
  }

  private openCell(attributes: Attributes): void {
    this.type = attributes.get("t") ?? "n";
    this.style = Number(attributes.get("s") ?? 0);
    this.value = "";
  }

  private closeCell(): void {
    const shown = this.shown();
    if (shown.trim() === "") return;
    if (!this.into.isAtLineStart) this.into.add("\t");
    this.into.add(shown);
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

/** Characters that XML cannot write stand as `_x000D_`. */
const unescaped = (text: string): string =>
  text.includes("_x")
    ? text.replace(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
