import { decodeWide, markedEncoding, wideEncoding, type WideEncoding } from "./wideText.js";

/** So much of a file shows whether it is text. */
const examinedBytes = 65_536;

/** Control characters, but for white space, the end of a DOS file, and the escapes of ISO-2022. */
const isControl = (byte: number): boolean =>
  byte === 0x7f || (byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1a && byte !== 0x1b);

/** Whether the bytes are text of any encoding. */
export const looksLikeText = (bytes: Buffer): boolean => wideEncodingOf(bytes) !== null || looksLikeBytes(bytes);

/** The encoding of a text that takes two or four bytes a letter, by its mark or by its letters. */
const wideEncodingOf = (bytes: Buffer): WideEncoding | null => markedEncoding(bytes) ?? wideEncoding(bytes);

/** Whether the bytes are text of an encoding that keeps ASCII: no NUL, and hardly any control characters. */
function looksLikeBytes(bytes: Buffer): boolean {
  const examined = bytes.subarray(0, examinedBytes);
  if (examined.includes(0)) return false;
  let controls = 0;
  for (const byte of examined) if (isControl(byte)) controls++;
  return controls <= examined.length / 1_000;
}

/** What may stand before the first element. A comment ends in one place: with two, a hundred would never be told. */
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
export function textTypeShown(bytes: Buffer): string | null {
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
export const beginsAsMail = (bytes: Buffer): boolean => looksLikeMail(startOf(bytes));

/** Whether another mail follows the first one. */
const holdsNextMail = (bytes: Buffer): boolean =>
  bytes.includes("\n\nFrom ", 0, "latin1") || bytes.includes("\r\n\r\nFrom ", 0, "latin1");

/** Of a text in bytes, as characters of the same numbers: what tells one type from another is ASCII. */
function startOf(bytes: Buffer): string {
  const wide = wideEncodingOf(bytes);
  if (wide !== null) return decodeWide(bytes.subarray(0, examinedCharacters), wide);
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
