import PostalMime, { type Address, type Attachment as MimePart, type Email } from "postal-mime";
import { canonical, mediaTypes } from "../detect/mediaTypes.js";
import { pageText } from "./html.js";
import { messageText, person } from "./messageText.js";
import { readableMail } from "./rawMail.js";
import { holdsMail } from "./smime.js";
import { UnreadableFile, type InnerFile, type Reader } from "./reader.js";

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
