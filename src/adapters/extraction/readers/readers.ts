import { textFormatOf } from "../../../shared/textFormat.js";
import { mediaTypes } from "../detect/mediaTypes.js";
import type { Reader } from "./reader.js";

/** Each is loaded with the first file of its format: a child process reads few formats in its life. */
const readers: Readonly<Record<string, () => Promise<Reader>>> = {
  [mediaTypes.docx]: async () => (await import("./docx.js")).docx,
  [mediaTypes.pdf]: async () => (await import("./pdf.js")).pdf,
};

const textReaders = {
  plain: async () => (await import("./plainText.js")).plainText,
  json: async () => (await import("./json.js")).json,
  xml: async () => (await import("./xml.js")).xml,
  html: async () => (await import("./html.js")).html,
};

/** The reader for a media type; null where there is none. */
export async function readerOf(mimeType: string): Promise<Reader | null> {
  const load = Object.hasOwn(readers, mimeType) ? readers[mimeType] : undefined;
  if (load !== undefined) return load();
  const format = textFormatOf(mimeType);
  return format === null ? null : textReaders[format]();
}
