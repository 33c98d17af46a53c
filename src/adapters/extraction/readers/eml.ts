import { isUtf8 } from "node:buffer";
import { canonical, mediaTypes } from "../detect/mediaTypes.js";
import { pageText } from "./html.js";
import { messageText, person } from "./messageText.js";
import { holdsMail } from "./smime.js";
import { UnreadableFile, type InnerFile, type Reader } from "./reader.js";
import { decodeAs, encodingNamed } from "../encodings.js";
import { decodeUndeclared } from "../decodeText.js";
import { decodeWide, wideEncodingOf } from "../detect/wideText.js";
import PostalMime, { type Address, type Attachment as MimePart, type Email } from "postal-mime";

/** Messages nest when they are forwarded; no mail program nests this deep. */
const maxNestingDepth = 100;
const maxHeadersSize = 2_097_152;

/** Emails as they are sent. */
export const eml: Reader = {
  async read({ bytes }, context) {
    const email = await parsed(await readableMail(bytes));
    const message = {
      subject: email.subject ?? null,
      from: people(email.from === undefined ? [] : [email.from]),
      to: people(email.to ?? []),
      cc: people(email.cc ?? []),
      date: email.date ?? null,
      body: bodyOf(email),
      attachments: email.attachments.map(attachment),
    };
    return messageText(message, context);
  },
};

async function parsed(bytes: Buffer): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, { maxNestingDepth, maxHeadersSize });
  } catch (error) {
    const said = error instanceof Error ? error.message : "";
    if (/nesting/i.test(said)) throw new UnreadableFile("The email cannot be read: its parts are nested too deep.");
    if (/header/i.test(said)) throw new UnreadableFile("The email cannot be read: its headers are too large.");
    throw new UnreadableFile("The email is damaged: it cannot be read.");
  }
}

const people = (addresses: readonly Address[]): readonly string[] =>
  addresses.flatMap((one) => one.group ?? [one]).map(({ name, address }) => person(name, address));

function bodyOf({ text, html }: Email): string {
  if (text !== undefined && text.trim() !== "") return text;
  return html === undefined ? "" : pageText(html);
}

function attachment({ filename, mimeType, content }: MimePart): InnerFile {
  const bytes = typeof content === "string" ? Buffer.from(content) : asBuffer(content);
  return { name: isWrapping(mimeType, bytes) ? null : (filename ?? ""), declaredMimeType: mimeType, open: () => bytes };
}

/** Whether what is attached is the mail itself, signed in one piece or wrapped by Outlook. */
const isWrapping = (mimeType: string, bytes: Buffer): boolean =>
  canonical(mimeType) === mediaTypes.tnef || (canonical(mimeType) === mediaTypes.smime && holdsMail(bytes));

const asBuffer = (content: ArrayBuffer | Uint8Array): Buffer =>
  content instanceof ArrayBuffer
    ? Buffer.from(content)
    : Buffer.from(content.buffer, content.byteOffset, content.byteLength);

/**
 * The mail with heads in UTF-8, and with every text in UTF-8 that names no known charset. Old programs and machines
 * write heads in whatever code page they have, and name no charset; a mail that somebody kept with an editor may be
 * UTF-16.
 */
async function readableMail(bytes: Buffer): Promise<Buffer> {
  const wide = wideEncodingOf(bytes);
  if (wide !== null) return Buffer.from(decodeWide(bytes, wide));
  if (isUtf8(bytes) && !unknownCharset.test(bytes.toString("latin1"))) return bytes;
  const known = encodingSaid(bytes.toString("latin1", 0, maxHeadersSize));
  const pieces: Buffer[] = [];
  let isOpen = false;
  for (const { piece, isHead } of heads(bytes)) {
    if (isHead) isOpen = isTextWithoutCharset(piece.toString("latin1"));
    pieces.push(isHead ? await readableHead(piece, known) : isOpen ? await readableText(piece) : piece);
  }
  return Buffer.concat(pieces);
}

/** Whether a head announces text, or no type, and names no known charset. */
const isTextWithoutCharset = (head: string): boolean =>
  !/^content-type:(?![ \t]*text\/)/im.test(head) &&
  (!/\bcharset\b/i.test(head) || unknownCharset.test(head)) &&
  !/^content-transfer-encoding:[ \t]*(?:base64|binary)/im.test(head);

const readableText = async (text: Buffer): Promise<Buffer> =>
  isUtf8(text) ? text : Buffer.from(await decodeUndeclared(text));

/** Charsets that programs name where they do not know the one of a text. */
const unknownCharset = /\bcharset="?(?:x-)?(?:unknown(?:-8bit)?|default|user-defined)\b"?/i;
const charsetNamed = /\bcharset="?([\w.:-]{1,40})/i;
/** Lines that say what a part is, and lines on which only its charset stands. */
const typeLines = /^[ \t]*(?:content-type:|charset=)[^\r\n]*/gim;

/** The encoding of the first charset that some part's head names; null: it is unknown, or none is named. */
function encodingSaid(text: string): string | null {
  for (const [line] of text.matchAll(typeLines)) {
    const charset = charsetNamed.exec(line)?.[1];
    if (charset !== undefined) return encodingNamed(charset);
  }
  return null;
}

interface Piece {
  readonly piece: Buffer;
  readonly isHead: boolean;
}

/** After so many heads, the rest of a mail stays as it is. */
const mostHeads = 1_000;
const boundary = Buffer.from("\n--");

/** The mail's head and that of each part, and what stands between them. A head ends before an empty line. */
function* heads(bytes: Buffer): Generator<Piece, void, void> {
  let at = 0;
  let head = 0;
  for (let count = 0; head !== -1 && count < mostHeads; count++) {
    const end = headEnd(bytes, head);
    yield { piece: bytes.subarray(at, head), isHead: false };
    yield { piece: bytes.subarray(head, end), isHead: true };
    at = end;
    const next = bytes.indexOf(boundary, at);
    const line = next === -1 ? -1 : bytes.indexOf(0x0a, next + 1);
    head = line === -1 ? -1 : line + 1;
  }
  yield { piece: bytes.subarray(at), isHead: false };
}

function headEnd(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length;) {
    const line = bytes.indexOf(0x0a, at);
    if (line === -1) return bytes.length;
    if (line === at || (line === at + 1 && bytes[at] === 0x0d)) return at;
    at = line + 1;
  }
  return bytes.length;
}

const partHeader = /^content-[\w-]{1,40}:|^mime-version:|^from:/im;

/** A head as UTF-8. What follows a line that looks like a boundary is one only where it says something of a part. */
async function readableHead(head: Buffer, encoding: string | null): Promise<Buffer> {
  if (!partHeader.test(head.toString("latin1"))) return head;
  return Buffer.from((await decodedHead(head, encoding)).replace(unknownCharset, "charset=utf-8"));
}

async function decodedHead(head: Buffer, encoding: string | null): Promise<string> {
  const decoded = isUtf8(head) || encoding === null || encoding === "utf-8" ? null : decodeAs(head, encoding);
  return decoded === null || decoded.includes("\ufffd") ? decodeUndeclared(head) : decoded;
}
