import type { Extraction } from "../../../commands/ports.js";
import { textMediaTypes } from "./textMediaTypes.js";

/** What bounds the reading of one file. */
export interface ReadingLimits {
  /** More of a text is not kept. */
  readonly maxCharacters: number;
  /** In which languages text is recognized in images, as Tesseract names them; null: in none. */
  readonly ocrLanguages: readonly string[] | null;
}

/** A file in memory, and what the client said of it. */
export interface FileInMemory {
  readonly bytes: Buffer;
  /** In lower case and without parameters; null: none was said. */
  readonly mimeType: string | null;
  readonly charset: string | null;
  readonly name: string | null;
}

/** Finds out what a file is, and takes its text out. Never rejects because of a file. */
export async function readFile(file: FileInMemory, { maxCharacters }: ReadingLimits): Promise<Extraction> {
  const mimeType = file.mimeType ?? "application/octet-stream";
  const found = await textMediaTypes.extract({ bytes: file.bytes, mimeType, charset: file.charset });
  if (found.kind !== "text") return found;
  if (found.text.length <= maxCharacters) return { ...found, facts: { mimeType } };
  return { kind: "text", text: cut(found.text, maxCharacters), facts: { mimeType, truncated: true } };
}

/** Never between the two halves of one character. */
const cut = (text: string, maxCharacters: number): string =>
  text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, "");
