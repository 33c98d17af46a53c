import { decompressRTF } from "@kenjiuno/decompressrtf";
import { decodeAs } from "../encodings.js";
import { decodeUndeclared } from "../decodeText.js";
import { pageText } from "./html.js";
import { UnreadableFile, type ReadingContext } from "./reader.js";
import { rtf } from "./rtf.js";

/** A body as Outlook keeps it, in up to three formats. */
export interface OutlookBody {
  readonly plain: string | undefined;
  readonly page: string | Uint8Array | undefined;
  readonly pageCodePage: number | undefined;
  readonly compressedRtf: Uint8Array | undefined;
}

/** The text of a body, of the first format that has any. */
export async function outlookBodyText(body: OutlookBody, context: ReadingContext): Promise<string> {
  if (body.plain !== undefined && body.plain.trim() !== "") return body.plain;
  const page = typeof body.page === "string" ? body.page : await decodedPage(body.page, body.pageCodePage);
  if (page.trim() !== "") return pageText(page);
  return body.compressedRtf === undefined ? "" : rtfBody(body.compressedRtf, context);
}

async function decodedPage(page: Uint8Array | undefined, codePage: number | undefined): Promise<string> {
  if (page === undefined) return "";
  const bytes = Buffer.from(page);
  const text = codePage === undefined || codePage === 65_001 ? null : decodeAs(bytes, encodingOfCodePage(codePage));
  return text === null || text.includes("\ufffd") ? decodeUndeclared(bytes) : text;
}

/** Code pages of mails whose letters in a file of Windows are those of another one. */
const windowsPages: Readonly<Record<number, number | undefined>> = {
  20127: 1252,
  20866: 1251,
  21866: 1251,
  28591: 1252,
  28592: 1250,
  28595: 1251,
  28596: 1256,
  28597: 1253,
  28598: 1255,
  28599: 1254,
  28605: 1252,
  38598: 1255,
  50220: 932,
  50221: 932,
  50222: 932,
  51932: 932,
  51936: 936,
  52936: 936,
  50225: 949,
  51949: 949,
};

/** The code page in which Windows keeps texts of a mail that was sent in another one. */
export const windowsCodePage = (codePage: number): number => windowsPages[codePage] ?? codePage;

const pageEncodings: Readonly<Record<number, string | undefined>> = {
  932: "shift_jis",
  936: "gb18030",
  949: "euc-kr",
  950: "big5",
  20127: "windows-1252",
  20866: "koi8-r",
  21866: "koi8-u",
  50220: "iso-2022-jp",
  50221: "iso-2022-jp",
  50222: "iso-2022-jp",
  51932: "euc-jp",
  51949: "euc-kr",
  51936: "gb18030",
  54936: "gb18030",
};

/** The name of the encoding that Windows has a number for. */
export function encodingOfCodePage(codePage: number): string {
  if (codePage > 28_590 && codePage < 28_606) return `iso-8859-${codePage - 28_590}`;
  return pageEncodings[codePage] ?? (codePage < 1_000 ? `cp${codePage}` : `windows-${codePage}`);
}

const mostCompressedBytes = 10_485_760;

async function rtfBody(compressed: Uint8Array, context: ReadingContext): Promise<string> {
  // The library believes what the first four bytes say of the size.
  const claimed = compressed.length < 16 ? 0 : Buffer.from(compressed).readUInt32LE(0) + 4;
  if (claimed === 0 || claimed > compressed.length || claimed > mostCompressedBytes)
    throw new UnreadableFile("The Outlook message is damaged: its body cannot be unpacked.");
  const bytes = Buffer.from(decompressRTF(Array.from(compressed)));
  context.unpacked(bytes.length);
  const { text } = await rtf.read({ bytes, mimeType: "application/rtf", charset: null, name: null }, context);
  return text;
}
