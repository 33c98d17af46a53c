import { decompressRTF } from "@kenjiuno/decompressrtf";
import * as msgreader from "@kenjiuno/msgreader";
import iconv from "iconv-lite";
import { pageText } from "./html.js";
import { messageText, person, type Message } from "./messageText.js";
import { UnreadableFile, type FileText, type InnerFile, type Reader, type ReadingContext } from "./reader.js";
import { rtf } from "./rtf.js";

// The package is CommonJS: what it exports by default lies one level further down.
const MsgReader = msgreader.default.default;
type FieldsData = msgreader.FieldsData;

/** Emails as Outlook saves them. */
export const msg: Reader = {
  async read({ bytes }, context) {
    const reader = new MsgReader(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    const fields = reader.getFileData();
    if (fields.error !== undefined) throw new UnreadableFile("The Outlook message is damaged: it cannot be read.");
    return messageText(await messageOf(fields, reader, context), context);
  },
};

type Attachments = Pick<InstanceType<typeof MsgReader>, "getAttachment">;

async function messageOf(fields: FieldsData, reader: Attachments | null, context: ReadingContext): Promise<Message> {
  const recipients = (type: string): readonly string[] =>
    (fields.recipients ?? [])
      .filter(({ recipType }) => (recipType ?? "to") === type)
      .map(({ name, smtpAddress, email }) => person(name, smtpAddress ?? email));
  const attachments: InnerFile[] = [];
  for (const attached of fields.attachments ?? []) attachments.push(await attachmentOf(attached, reader, context));
  return {
    subject: fields.subject ?? null,
    from: [person(fields.senderName, fields.senderSmtpAddress ?? fields.senderEmail)].filter((one) => one !== ""),
    to: recipients("to"),
    cc: recipients("cc"),
    date: fields.clientSubmitTime ?? fields.messageDeliveryTime ?? fields.creationTime ?? null,
    body: await bodyOf(fields, context),
    attachments,
  };
}

async function bodyOf(fields: FieldsData, context: ReadingContext): Promise<string> {
  const { body, bodyHtml, html, compressedRtf } = fields;
  if (body !== undefined && body.trim() !== "") return body;
  if (bodyHtml !== undefined && bodyHtml.trim() !== "") return pageText(bodyHtml);
  if (html !== undefined && html.length > 0) return pageText(decodeHtml(html, fields.internetCodepage));
  return compressedRtf === undefined ? "" : rtfBody(compressedRtf, context);
}

function decodeHtml(html: Uint8Array, codePage = 65_001): string {
  const encoding = codePage === 65_001 || !iconv.encodingExists(`cp${codePage}`) ? "utf-8" : `cp${codePage}`;
  return iconv.decode(Buffer.from(html), encoding);
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

/** A message that is attached as such is no file of its own: it is read here, without what it has attached. */
async function attachmentOf(
  attached: FieldsData,
  reader: Attachments | null,
  context: ReadingContext,
): Promise<InnerFile> {
  const name = attached.fileName ?? attached.name ?? attached.fileNameShort ?? "";
  const inner = attached.innerMsgContentFields;
  if (inner !== undefined) {
    const message: FileText = messageText(await messageOf({ ...inner, attachments: [] }, null, context), context);
    return { name, declaredMimeType: "application/vnd.ms-outlook", open: () => message };
  }
  const open = (): Buffer => Buffer.from(reader?.getAttachment(attached).content ?? new Uint8Array());
  return { name, declaredMimeType: attached.attachMimeTag ?? null, open };
}
