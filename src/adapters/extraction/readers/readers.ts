import type { FileToExtract } from "../../../../commands/ports.js";
import { textFormatOf } from "../../../shared/textFormat.js";
import { isArchive, isPacked, mediaTypes } from "../detect/mediaTypes.js";
import type { Reader } from "./reader.js";

const openDocument = async (): Promise<Reader> => (await import("./openDocument.js")).openDocument;

const calendar = async (): Promise<Reader> => (await import("./calendar.js")).calendar;

const card = async (): Promise<Reader> => (await import("./card.js")).card;

const workbook = async (): Promise<Reader> => (await import("./workbook.js")).workbook;

const iwork = async (): Promise<Reader> => (await import("./iwork.js")).iwork;

const image = async (): Promise<Reader> => (await import("./image.js")).image;

/** Each is loaded with the first file of its format: a child process reads few formats in its life. */
const readers: Readonly<Record<string, () => Promise<Reader>>> = {
  [mediaTypes.docx]: async () => (await import("./docx.js")).docx,
  [mediaTypes.pdf]: async () => (await import("./pdf.js")).pdf,
  [mediaTypes.pptx]: async () => (await import("./pptx.js")).pptx,
  [mediaTypes.xlsx]: async () => (await import("./xlsx.js")).xlsx,
  [mediaTypes.odt]: openDocument,
  [mediaTypes.ods]: openDocument,
  [mediaTypes.odp]: openDocument,
  [mediaTypes.odg]: openDocument,
  [mediaTypes.epub]: async () => (await import("./epub.js")).epub,
  [mediaTypes.visio]: async () => (await import("./visio.js")).visio,
  [mediaTypes.xps]: async () => (await import("./xps.js")).xps,
  [mediaTypes.pages]: iwork,
  [mediaTypes.numbers]: iwork,
  [mediaTypes.keynote]: iwork,
  [mediaTypes.rtf]: async () => (await import("./rtf.js")).rtf,
  [mediaTypes.eml]: async () => (await import("./eml.js")).eml,
  [mediaTypes.msg]: async () => (await import("./msg.js")).msg,
  [mediaTypes.mbox]: async () => (await import("./mbox.js")).mbox,
  [mediaTypes.smime]: async () => (await import("./smime.js")).smime,
  [mediaTypes.tnef]: async () => (await import("./tnef.js")).tnef,
  [mediaTypes.calendar]: calendar,
  [mediaTypes.card]: card,
  [mediaTypes.doc]: async () => (await import("./doc.js")).doc,
  [mediaTypes.ppt]: async () => (await import("./ppt.js")).ppt,
  [mediaTypes.xls]: workbook,
  [mediaTypes.xlsb]: workbook,
  "application/vnd.lotus-1-2-3": workbook,
  [mediaTypes.zip]: async () => (await import("./archive.js")).zip,
  "image/png": image,
  "image/jpeg": image,
  "image/gif": image,
  "image/webp": image,
  "image/bmp": image,
  "image/tiff": image,
  "image/heic": image,
};

const textReaders = {
  plain: async () => (await import("./plainText.js")).plainText,
  json: async () => (await import("./json.js")).json,
  xml: async () => (await import("./xml.js")).xml,
  html: async () => (await import("./html.js")).html,
  markdown: async () => (await import("./markdown.js")).markdown,
};

/** The reader for a media type, and for the form in which a text is wanted; null where there is none. */
export async function readerOf(mimeType: string, form?: FileToExtract["form"]): Promise<Reader | null> {
  const load = Object.hasOwn(readers, mimeType) ? readers[mimeType] : undefined;
  if (load !== undefined) return load();
  if (isArchive(mimeType) || isPacked(mimeType)) return (await import("./archive.js")).archiveOfAnyKind;
  const format = textFormatOf(mimeType);
  if (format === "html" && form === "article") return (await import("./article.js")).article;
  return format === null ? null : textReaders[format]();
}
