import { TextBuilder } from "../textBuilder.js";
import type { Attributes, XmlHandler } from "../xml/readXml.js";
import { mostCellsOfSheet } from "./sheetRows.js";

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
export class OpenSheets implements XmlHandler {
  private looked = 0;
  private repeats = 1;
  private cell: TextBuilder | null = null;
  private remark: TextBuilder | null = null;
  private remarks: string[] = [];
  private openParagraphs = 0;

  constructor(private readonly into: TextBuilder) {}

  /** Whether a sheet has more rows and cells than are looked at. */
  get isCut(): boolean {
    return this.looked > mostCellsOfSheet;
  }

  open(name: string, attributes: Attributes): boolean {
    if (leftOut.has(name)) return false;
    if (name === "table") this.openTable(attributes.get("name") ?? "");
    if (name === "table-row" || name === "table-cell") this.looked++;
    if (name === "table-cell") this.openCell(attributes);
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
    this.into.addLines(name);
  }

  private openCell(attributes: Attributes): void {
    this.repeats = Math.min(Number(attributes.get("number-columns-repeated") ?? 1) || 1, mostRepeats);
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
    for (let left = text === "" ? 0 : this.repeats; left > 0; left--) {
      if (!this.into.isAtLineStart) this.into.add("\t");
      this.into.add(text);
    }
  }

  private closeRow(): void {
    this.into.endLine();
    for (const remark of this.remarks) this.into.addLines(remark);
    this.remarks = [];
  }
}
