import type { PDFDocumentProxy } from "pdfjs-dist";
import { instantOf, languageCode, oneLine, titleOf } from "../factValues.js";
import type { FileText } from "../reader.js";

/** What the document says of itself, in its old place and in its newer one. */
interface Said {
  readonly info: Readonly<Record<string, unknown>>;
  readonly metadata: { get(name: string): unknown } | null;
}

/** What a PDF says of itself. What is damaged is left out. */
export async function factsOf(document: PDFDocumentProxy): Promise<FileText["facts"]> {
  const { info, metadata } = await document.getMetadata().then(
    (said) => said as unknown as Said,
    (): Said => ({ info: {}, metadata: null }),
  );
  return {
    title: titleOf(lineOf(info["Title"]), lineOf(metadata?.get("dc:title"))),
    author: lineOf(info["Author"]) ?? lineOf(metadata?.get("dc:creator")),
    language: languageCode(textOf(info["Language"])),
    pageCount: document.numPages,
    createdAt: timeOf(info["CreationDate"]) ?? timeOf(metadata?.get("xmp:createdate")),
    modifiedAt: timeOf(info["ModDate"]) ?? timeOf(metadata?.get("xmp:modifydate")),
  };
}

const textOf = (value: unknown): string | undefined =>
  Array.isArray(value) ? value.map(textOf).filter(Boolean).join(", ") : typeof value === "string" ? value : undefined;

const lineOf = (value: unknown): string | undefined => oneLine(textOf(value)?.normalize("NFKC"));

/** `D:20230204115901+01'00'`: all but the year may be left out, and no zone counts as UTC. */
const pdfDate = /^(?:D:)?(\d{4}(?:\d\d){0,5})(?:([+-]\d\d)(?:'?(\d\d))?)?/;

const rest = "00000101000000";

/** In a PDF's own notation or as ISO 8601. */
function timeOf(value: unknown): string | undefined {
  const said = textOf(value)?.trim();
  if (said === undefined || /^\d{4}-/.test(said)) return instantOf(said);
  const [, digits, zoneHour = "+00", zoneMinute = "00"] = pdfDate.exec(said) ?? [];
  if (digits === undefined) return undefined;
  const whole = digits + rest.slice(digits.length);
  const time = whole.replace(/^(.{4})(..)(..)(..)(..)(..)$/, "$1-$2-$3T$4:$5:$6");
  return instantOf(`${time}${zoneHour}:${zoneMinute}`);
}
