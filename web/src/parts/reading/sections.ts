import type { Schemas } from "../../api/client.js";

type FilePart = Schemas["FilePartAnswer"];

/** How a text is shown best. */
export type TextKind = "markdown" | "workbook" | "delimited" | "mail" | "plain";

/** A stretch of a text that is one file's: the document's own, or a file's in it. */
export interface Section {
  readonly kind: TextKind;
  readonly start: number;
  readonly end: number;
  /** Where its text begins, after the name of its file. */
  readonly textStart: number;
  /** The file in the document; null: the document's own text. */
  readonly part: PlacedPart | null;
}

/** A file in a document, by its place among them. */
export interface PlacedPart extends FilePart {
  readonly number: number;
}

const kinds: Readonly<Record<string, TextKind>> = {
  "text/markdown": "markdown",
  "text/x-markdown": "markdown",
  "text/csv": "delimited",
  "text/tab-separated-values": "delimited",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "workbook",
  "application/vnd.ms-excel": "workbook",
  "application/vnd.ms-excel.sheet.binary.macroenabled.12": "workbook",
  "application/vnd.oasis.opendocument.spreadsheet": "workbook",
  "message/rfc822": "mail",
  "application/vnd.ms-outlook": "mail",
};

/** How a text of this media type is shown best. */
export function kindOf(mimeType: string | null): TextKind {
  const essence = (mimeType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return (Object.hasOwn(kinds, essence) ? kinds[essence] : undefined) ?? "plain";
}

/** Cuts a text where the files in it begin. */
export function sectionsOf(text: string, mimeType: string, parts: readonly FilePart[]): readonly Section[] {
  const placed = parts.map((part, at) => ({ ...part, number: at + 1 })).filter(({ at }) => at < text.length);
  const own: Section = {
    kind: kindOf(mimeType),
    start: 0,
    textStart: 0,
    end: placed[0]?.at ?? text.length,
    part: null,
  };
  const inside = placed.map((part, at): Section => {
    const { at: start, name } = part;
    const end = Math.max(start, placed[at + 1]?.at ?? text.length);
    const textStart = text.startsWith(name, start) ? Math.min(end, start + name.length + 1) : start;
    return { kind: kindOf(part.mime_type), start, textStart, end, part };
  });
  return [own, ...inside];
}

/** What of a text is shown. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/** How far the end of a line is looked for. */
const mostOfLine = 2_000;

/** So many characters from a place on, of whole lines where these are not too long. */
export function wholeLines(text: string, from: number, length: number): Extent {
  const before = text.lastIndexOf("\n", from - 1) + 1;
  const start = from === 0 || from - before > mostOfLine ? from : before;
  const until = Math.min(text.length, Math.max(from + length, start));
  const next = text.slice(until, until + mostOfLine).indexOf("\n");
  return { start, end: next === -1 ? until : until + next };
}
