import type { ZipArchive } from "../archive/zipArchive.js";
import { readXml } from "../xml/readXml.js";

/** How numbers of a cell are shown, as far as words that people look for depend on it. */
export type NumberFormat = "number" | "percent" | "date" | "time" | "dateTime";

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
