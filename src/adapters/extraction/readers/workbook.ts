import { createContext, Script } from "node:vm";
import type { CellObject, WorkBook, WorkSheet } from "@e965/xlsx";
import { CompoundFile, compoundFacts } from "../compound/compoundFile.js";
import { ZipArchive } from "../archive/zipArchive.js";
import { mediaTypes } from "../detect/mediaTypes.js";
import { TextBuilder } from "../textBuilder.js";
import { officeFacts } from "./officePackage.js";
import { EncryptedFile, UnreadableFile, type FileText, type Reader, type ReadingContext } from "./reader.js";
import { beginSheet, formatOfCode, mostCellsOfSheet, RowLine, shownNumber } from "./sheetRows.js";

/**
 * Workbooks in binary: of Excel before 2007 (`.xls`), and of today's (`.xlsb`). A row is a line, cells apart by tabs.
 */
export const workbook: Reader = {
  async read({ bytes, mimeType }, context) {
    const book = await opened(bytes);
    const text = new TextBuilder(context.maxCharacters);
    let isWhole = true;
    for (const name of book.SheetNames) {
      if (text.isFull) break;
      beginSheet(name.length <= longestName ? name : "", text);
      const sheet = book.Sheets[name];
      if (sheet !== undefined) isWhole = addRows(sheet, isOf1904(book) ? 1904 : 1900, text) && isWhole;
    }
    const facts = { ...factsOf(bytes, mimeType, context), pageCount: book.SheetNames.length || undefined };
    return { text: text.toString(), facts: isWhole ? facts : { ...facts, truncated: true } };
  },
};

/** Names in Excel are no longer; the library misreads those of workbooks that a beta of Excel 2007 wrote. */
const longestName = 31;

async function opened(bytes: Buffer): Promise<WorkBook> {
  const { read } = await import("@e965/xlsx");
  const options = { type: "buffer", dense: true, cellNF: true, cellText: false, cellHTML: false } as const;
  try {
    return withinTime(() => read(bytes, options), leastMs + bytes.length * msPerByte);
  } catch (error) {
    const said = error instanceof Error ? error.message : "";
    if (/password|encrypt/i.test(said)) throw new EncryptedFile("The workbook is encrypted.");
    throw new UnreadableFile("The workbook is damaged: it cannot be read.", { cause: error });
  }
}

/** Five times what the slowest workbook took that was measured. */
const msPerByte = 0.004;
const leastMs = 5_000;
const call = new Script("work()");

/**
 * Ends what has no end: where a formula breaks off, the library looks for its end for ever. Only a script can be given
 * a time, not a function.
 */
const withinTime = <Value>(work: () => Value, timeout: number): Value =>
  call.runInContext(createContext({ work }), { timeout: Math.ceil(timeout) }) as Value;

const isOf1904 = (book: WorkBook): boolean => book.Workbook?.WBProps?.date1904 === true;

/** Adds a sheet's rows; false where some were left out. */
function addRows(sheet: WorkSheet, epoch: 1900 | 1904, text: TextBuilder): boolean {
  const rows = sheet["!data"] ?? [];
  const remarks: string[] = [];
  const line = new RowLine(text);
  let looked = 0;
  for (const row of rows) {
    for (const [column, cell] of (row ?? []).entries()) {
      if (++looked > mostCellsOfSheet || text.isFull) return false;
      if (cell === undefined) continue;
      line.add(shownCell(cell, epoch), column);
      remarks.push(...(cell.c ?? []).flatMap(({ t }) => t ?? []));
    }
    line.end();
  }
  for (const remark of remarks) text.addLines(remark);
  return true;
}

/** Errors as cells show them, by their numbers. */
const errors: Readonly<Record<number, string>> = {
  0: "#NULL!",
  7: "#DIV/0!",
  15: "#VALUE!",
  23: "#REF!",
  29: "#NAME?",
  36: "#NUM!",
  42: "#N/A",
};

function shownCell({ t, v, z }: CellObject, epoch: 1900 | 1904): string {
  switch (t) {
    case "n":
      return shownNumber(String(v), formatOfCode(String(z ?? "General")), epoch);
    case "b":
      return v === true ? "TRUE" : "FALSE";
    case "e":
      return errors[Number(v)] ?? "";
    default:
      return String(v ?? "");
  }
}

function factsOf(bytes: Buffer, mimeType: string, context: ReadingContext): FileText["facts"] {
  try {
    return mimeType === mediaTypes.xlsb
      ? officeFacts(new ZipArchive(bytes, context))
      : compoundFacts(new CompoundFile(bytes));
  } catch {
    // Workbooks of Excel before version 5 are no compound files.
    return {};
  }
}
