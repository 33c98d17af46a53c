import { extname } from "node:path";
import { fileTypeFromBuffer } from "file-type";
import { textFormatOf } from "../../../shared/textFormat.js";
import type { ReadingContext } from "../readers/reader.js";
import { canonical, isImage, isOldOffice, mediaTypes } from "./mediaTypes.js";
import { CompoundFile } from "../compound/compoundFile.js";
import { ZipArchive } from "../archive/zipArchive.js";
import { imageTypeOf } from "../readers/ocr/imageHeader.js";
import { decodeWide, wideEncodingOf, widthOf } from "./wideText.js";
import mime from "mime-types";

interface FileToDetect {
  readonly bytes: Buffer;
  readonly mimeType: string | null;
  readonly name: string | null;
}

/**
 * The media type of a file, by its usual name: as the content shows it, else as it was declared, else as its name ends.
 * Text shows hardly anything, so that for text, what was declared counts wherever it can be true. Nothing is an image
 * that does not show it: each kind of image begins with a signature. Text under a name of something else is text.
 */
export async function detectType(file: FileToDetect, context: Pick<ReadingContext, "unpacked">): Promise<string> {
  const declared = canonical(file.mimeType);
  const shown = await shownByContent(file.bytes, context);
  if (shown?.isSure === true) return shown.mimeType;
  const named = byName(file.name);
  const said = [declared, named].find((type) => type !== null && !isImage(type)) ?? null;
  if (shown !== null) return said !== null && mayBe(said, shown.mimeType) ? said : shown.mimeType;
  if (!looksLikeText(file.bytes)) return beginsAsMail(file.bytes) ? mediaTypes.eml : (said ?? mediaTypes.anything);
  return ofText(file.bytes, declared, named);
}

/** Whether a damaged or unknown container may be what was said of it. */
const mayBe = (said: string, container: string): boolean =>
  container === mediaTypes.pages
    ? said === mediaTypes.numbers || said === mediaTypes.keynote
    : container === mediaTypes.zip
      ? /openxmlformats|opendocument|epub/.test(said)
      : isOldOffice(said) || said === mediaTypes.msg;

function ofText(bytes: Buffer, declared: string | null, named: string | null): string {
  const shown = textTypeShown(bytes);
  const mayBeTrue = (said: string | null): said is string =>
    said !== null && isText(said) && (!isImage(said) || said === shown);
  if (shown === mediaTypes.mbox && (declared ?? named) === mediaTypes.eml) return shown;
  if (mayBeTrue(declared)) return declared;
  if (mayBeTrue(named)) return named;
  // Every other format begins with a signature: what is text under its name is no such file. Programs give their texts
  // many names, and to some names end as recordings do (`.ts`).
  return shown ?? "text/plain";
}

const isText = (mimeType: string): boolean =>
  textFormatOf(mimeType) !== null || mimeType === mediaTypes.eml || mimeType === mediaTypes.mbox;

/** The media type that is registered for a name's extension. */
function byName(name: string | null): string | null {
  const extension = extname(name ?? "");
  return extension === "" ? null : canonical(mime.lookup(extension) || null);
}

/** Enough for every signature and for telling text, and a bound for what searches the file for one. */
const examinedBytes = 65_536;
const pdfBytes = 1_024;
const compoundSignature = Buffer.from("d0cf11e0a1b11ae1", "hex");
/** Looked for before text is: its eight bytes alone pass for text. */
const pngSignature = Buffer.from("89504e470d0a1a0a", "hex");
const tnefSignature = Buffer.from("789f3e22", "hex");
const zipSignatures = ["PK\x03\x04", "PK\x05\x06", "PK00PK\x03\x04"].map((text) => Buffer.from(text, "latin1"));

/** What a file's bytes show of it. `isSure` where no other format begins so and holds the same. */
interface Shown {
  readonly mimeType: string;
  readonly isSure: boolean;
}

/** The media type that the content shows; null where it shows none, as plain text does. */
async function shownByContent(bytes: Buffer, context: Pick<ReadingContext, "unpacked">): Promise<Shown | null> {
  const start = bytes.subarray(0, examinedBytes);
  if (start.subarray(0, pdfBytes).includes("%PDF-")) return sure(mediaTypes.pdf);
  if (startsWith(start, Buffer.from("{\\rtf"))) return sure(mediaTypes.rtf);
  if (startsWith(start, pngSignature)) return sure("image/png");
  if (zipSignatures.some((signature) => startsWith(start, signature))) return zipContent(bytes, context);
  if (startsWith(start, tnefSignature)) return sure(mediaTypes.tnef);
  if (startsWith(start, compoundSignature)) return compoundContent(bytes);
  if (looksLikeText(start)) return null;
  const found = await fileTypeFromBuffer(start).catch(() => undefined);
  if (found === undefined) return shownBySignature(start);
  return found.mime === "application/xml" ? null : sure(canonical(found.mime) ?? found.mime);
}

/** How files begin that the library does not know, in hex. */
const signatures: readonly (readonly [RegExp, string])[] = [
  [/^30373037303[127]/, "application/x-cpio"],
  [/^e4525c7b8cd8a74d/, "application/onenote"],
  [/^dba52d00/, mediaTypes.doc],
  [/^090[024]0[4-6]00/, mediaTypes.xls],
  [/^ff575043/, "application/vnd.wordperfect"],
  [/^30(?:..){1,4}06092a864886f70d01070[23]/, mediaTypes.smime],
];

/**
 * The type by signatures that the library lacks; for images also where the file is too short for the library, or its
 * head too long.
 */
function shownBySignature(start: Buffer): Shown | null {
  const head = start.toString("hex", 0, 32);
  const mimeType = imageTypeOf(start) ?? signatures.find(([pattern]) => pattern.test(head))?.[1] ?? null;
  return mimeType === null ? null : sure(mimeType);
}

const sure = (mimeType: string): Shown => ({ mimeType, isSure: true });
const startsWith = (bytes: Buffer, start: Buffer): boolean => bytes.subarray(0, start.length).equals(start);

/** Office formats by the part that says what the file is, and where that is missing by the part that holds the text. */
const mainTypes: readonly (readonly [RegExp, string, string])[] = [
  [/wordprocessingml\.(?:document|template)\.main|ms-word\.[.\w]*main/i, "word/document.xml", mediaTypes.docx],
  [/presentationml\.\w+\.main|ms-powerpoint\.[.\w]*main/i, "ppt/presentation.xml", mediaTypes.pptx],
  [/ms-excel\.sheet\.binary\.[.\w]*main/i, "xl/workbook.bin", mediaTypes.xlsb],
  [/ms-visio\.[.\w]*main/i, "visio/document.xml", mediaTypes.visio],
  [/ms-package\.xps-fixeddocumentsequence|oxps-fixeddocumentsequence/i, "FixedDocSeq.fdseq", mediaTypes.xps],
  [/spreadsheetml\.(?:sheet|template)\.main|ms-excel\.sheet\.macroenabled\.main/i, "xl/workbook.xml", mediaTypes.xlsx],
];

const mediaTypeSyntax = /^[a-z0-9][\w.+-]{0,100}\/[a-z0-9][\w.+-]{0,100}$/;

function zipContent(bytes: Buffer, context: Pick<ReadingContext, "unpacked">): Shown {
  const unsure = { mimeType: mediaTypes.zip, isSure: false };
  try {
    const archive = new ZipArchive(bytes, context);
    const inside = archive.part("mimetype")?.toString("latin1", 0, 100).trim();
    const known = inside === undefined ? null : canonical(inside.toLowerCase());
    // A file that says what it is counts as no archive, even where it has no reader.
    if (known !== null && mediaTypeSyntax.test(known)) return sure(known);
    const ofApple = appleType(archive);
    if (ofApple !== null) return ofApple;
    const contentTypes = archive.part("[Content_Types].xml")?.toString("utf8");
    const main =
      mainTypes.find(([pattern]) => contentTypes !== undefined && pattern.test(contentTypes)) ??
      mainTypes.find(([, part]) => contentTypes !== undefined && archive.has(part));
    if (main !== undefined) return sure(main[2]);
    return sure(contentTypes === undefined ? mediaTypes.zip : mediaTypes.officePackage);
  } catch {
    return unsure;
  }
}

/** Files of Pages, Numbers and Keynote look alike: a presentation has slides, the others are what they are called. */
function appleType(archive: ZipArchive): Shown | null {
  const holds = (pattern: RegExp): boolean => archive.entries.some(({ name }) => pattern.test(name));
  if (archive.has("index.apxl")) return sure(mediaTypes.keynote);
  const isOld = archive.has("index.xml") && archive.has("buildVersionHistory.plist");
  if (!isOld && !holds(/^Index\/Document\.iwa$|^[^/]+\/Index\.zip$/)) return null;
  return holds(/^Index\/Slide[-\d]*\.iwa$/) ? sure(mediaTypes.keynote) : { mimeType: mediaTypes.pages, isSure: false };
}

/** The class by which Outlook marks its files. */
const outlookClass = "0b0d020000000000c000000000000046";
/** Streams that only one program writes. */
const streamsOfPrograms: readonly (readonly [string, string])[] = [
  ["EncryptedPackage", mediaTypes.encrypted],
  ["WordDocument", mediaTypes.doc],
  ["PowerPoint Document", mediaTypes.ppt],
  ["Workbook", mediaTypes.xls],
  ["Book", mediaTypes.xls],
  ["__nameid_version1.0/__substg1.0_00020102", mediaTypes.msg],
  ["__properties_version1.0", mediaTypes.msg],
  ["VisioDocument", "application/vnd.visio"],
  ["Quill/QuillSub/CONTENTS", "application/x-mspublisher"],
];

function compoundContent(bytes: Buffer): Shown {
  try {
    const file = new CompoundFile(bytes);
    if (file.classId === outlookClass) return sure(mediaTypes.msg);
    const mimeType = streamsOfPrograms.find(([stream]) => file.has(stream))?.[1];
    return mimeType === undefined ? { mimeType: mediaTypes.compound, isSure: false } : sure(mimeType);
  } catch {
    return damagedCompound(bytes);
  }
}

/** A directory that cannot be followed still names its streams, and a reader may get on with it. */
function damagedCompound(bytes: Buffer): Shown {
  const isNamed = ([stream]: readonly [string, string]): boolean =>
    bytes.includes(Buffer.from(stream.split("/", 1)[0] ?? stream, "utf16le"));
  const mimeType = streamsOfPrograms.find(isNamed)?.[1];
  return mimeType === undefined ? { mimeType: mediaTypes.compound, isSure: false } : sure(mimeType);
}

/** Control characters, but for white space, the end of a DOS file, and the escapes of ISO-2022. */
const isControl = (byte: number): boolean =>
  byte === 0x7f || (byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1a && byte !== 0x1b);

/** Whether the bytes are text of any encoding. */
const looksLikeText = (bytes: Buffer): boolean => wideEncodingOf(bytes) !== null || looksLikeAsciiText(bytes);

/** Whether the bytes are text of an encoding that keeps ASCII: no NUL, and hardly any control characters. */
function looksLikeAsciiText(bytes: Buffer): boolean {
  const examined = bytes.subarray(0, examinedBytes);
  if (examined.includes(0)) return false;
  let controls = 0;
  for (const byte of examined) if (isControl(byte)) controls++;
  return controls <= examined.length / 1_000;
}

/**
 * What may stand before the first element. The pattern lets a comment end in one place only: with two, a hundred
 * comments would keep it going back for ever.
 */
const beforeMarkup = /^\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--(?:[^-]|-(?!->)){0,2000}-->\s*)*/;
const startsAsPage = /^<(?:!doctype\s+html|html|head|body)\b/i;
const startsAsDrawing = /^(?:<!doctype\s+svg[^>]{0,500}>\s*)?<svg[\s>]/i;
const startsAsPostScript = /^%!PS-/;
const startsAsCalendar = /^\s*BEGIN:VCALENDAR\s/i;
const startsAsCard = /^\s*BEGIN:VCARD\s/i;
const startsAsXml = /^\s*<\?xml\s/;
const headerLine = /^(?:>?From |([A-Za-z][\w-]{1,60}):)/;
const goesOn = /^[ \t]/;
const mailHeaders: ReadonlySet<string> = new Set([
  ...["received", "from", "date", "message-id", "mime-version", "return-path", "delivered-to", "subject"],
]);
/** Other texts have one or two of them, too. */
const leastMailHeaders = 3;
/** Mails of large companies have a dozen kilobytes of headers of their servers. */
const examinedCharacters = 32_768;
const bomLength = 3;

/** The media type that text shows by how it begins; null: it may be anything. */
function textTypeShown(bytes: Buffer): string | null {
  const start = startOf(bytes);
  const markup = start.replace(beforeMarkup, "");
  if (startsAsPage.test(markup)) return "text/html";
  if (startsAsDrawing.test(markup)) return "image/svg+xml";
  if (startsAsXml.test(start)) return "application/xml";
  if (startsAsPostScript.test(start)) return "application/postscript";
  if (startsAsCalendar.test(start)) return "text/calendar";
  if (startsAsCard.test(start)) return "text/vcard";
  if (!looksLikeMail(start)) return null;
  return start.startsWith("From ") && holdsNextMail(bytes) ? "application/mbox" : "message/rfc822";
}

/** Whether bytes begin with the headers of a mail, whatever follows them. */
const beginsAsMail = (bytes: Buffer): boolean => looksLikeMail(startOf(bytes));

/** Whether another mail follows the first one. */
const holdsNextMail = (bytes: Buffer): boolean =>
  bytes.includes("\n\nFrom ", 0, "latin1") || bytes.includes("\r\n\r\nFrom ", 0, "latin1");

/**
 * The start of a text: decoded where letters are wide, else a character for each byte. ASCII alone tells types apart.
 */
function startOf(bytes: Buffer): string {
  const wide = wideEncodingOf(bytes);
  if (wide !== null) return decodeWide(bytes.subarray(0, examinedCharacters * widthOf(wide)), wide);
  return bytes.toString("latin1", 0, examinedCharacters).replace(/^(?:\xef\xbb\xbf)/, "");
}

/** Whether nothing but header lines stands before the first empty line, and enough of them are those of mails. */
function looksLikeMail(start: string): boolean {
  const known = new Set<string>();
  const lines = start.split("\n");
  // What is cut off may be half a line.
  if (start.length >= examinedCharacters - bomLength) lines.pop();
  for (const [index, line] of lines.entries()) {
    if (line === "" || line === "\r") break;
    if (index > 0 && goesOn.test(line)) continue;
    const header = headerLine.exec(line);
    if (header === null) return false;
    const name = header[1]?.toLowerCase() ?? "";
    if (mailHeaders.has(name)) known.add(name);
  }
  return known.size >= leastMailHeaders;
}
