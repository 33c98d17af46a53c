import * as msgreader from "@kenjiuno/msgreader";
import { guessedEncoding } from "../detect/guessedEncoding.js";
import { mediaTypes } from "../detect/mediaTypes.js";
import { messageText, person, type Message } from "./messageText.js";
import { encodingOfCodePage, outlookBodyText, windowsCodePage, type OutlookBody } from "./outlookBody.js";
import { UnreadableFile, type InnerFile, type Reader, type ReadingContext } from "./reader.js";

// The package is CommonJS: what it exports by default lies one level further down.
const MsgReader = msgreader.default.default;
type FieldsData = msgreader.FieldsData;

/** Emails as Outlook saves them. */
export const msg: Reader = {
  async read({ bytes }, context) {
    const message = opened(bytes);
    if (message.fields.error !== undefined)
      throw new UnreadableFile("The Outlook message is damaged: it cannot be read.");
    return messageText(await messageOf(message, context), context);
  },
};

interface Opened {
  readonly reader: InstanceType<typeof MsgReader>;
  readonly fields: FieldsData;
}

/**
 * Some programs leave the last sectors out where nothing is in them, and the library reads whole ones. Read as a part
 * of the table of sectors, these bytes end a chain.
 */
const filling = Buffer.alloc(8_192, Buffer.from([0xfe, 0xff, 0xff, 0xff]));
/** The end of the names of properties whose texts are in a code page. */
const ansiName = Buffer.from("001E", "utf16le");

function opened(bytes: Buffer): Opened {
  const { buffer, byteOffset, byteLength } = Buffer.concat([bytes, filling]);
  const open = (ansiEncoding?: string): Opened => {
    const reader = new MsgReader(new DataView(buffer, byteOffset, byteLength));
    reader.parserConfig = { ansiEncoding };
    return { reader, fields: reader.getFileData() };
  };
  // The first reading tells the code page, and the second one reads the texts by it.
  const read = open();
  return read.fields.error === undefined && bytes.includes(ansiName) ? open(ansiEncodingOf(read.fields)) : read;
}

/** Outlook names it for what it has in Unicode, and says nothing by it of texts that are not. */
const utf8CodePage = 65_001;

/** The encoding of texts that are not Unicode: as the message says, else what they look like. */
function ansiEncodingOf({ messageCodepage, internetCodepage, subject, body }: FieldsData): string {
  const said = messageCodepage ?? internetCodepage;
  const codePage = said === undefined || said === utf8CodePage ? undefined : windowsCodePage(said);
  if (codePage !== undefined) return encodingOfCodePage(codePage);
  return guessedEncoding(Buffer.from(`${subject ?? ""}\n${body ?? ""}`, "latin1")) ?? "windows-1252";
}

async function messageOf({ fields, reader }: Opened, context: ReadingContext): Promise<Message> {
  const recipients = (type: string): readonly string[] =>
    (fields.recipients ?? [])
      .filter(({ recipType }) => (recipType ?? "to") === type)
      .map(({ name, smtpAddress, email }) => person(name, smtpAddress ?? email));
  return {
    subject: fields.subject ?? null,
    from: [person(fields.senderName, fields.senderSmtpAddress ?? fields.senderEmail)].filter((one) => one !== ""),
    to: recipients("to"),
    cc: recipients("cc"),
    date: fields.clientSubmitTime ?? fields.messageDeliveryTime ?? fields.creationTime ?? null,
    body: await outlookBodyText(bodyOf(fields), context),
    attachments: (fields.attachments ?? []).map((attached) => attachmentOf(attached, reader)),
  };
}

const bodyOf = ({ body, bodyHtml, html, internetCodepage, compressedRtf }: FieldsData): OutlookBody => ({
  plain: body,
  page: bodyHtml !== undefined && bodyHtml.trim() !== "" ? bodyHtml : html,
  pageCodePage: internetCodepage,
  compressedRtf,
});

/** A message that is attached as such becomes a file of its own. */
function attachmentOf(attached: FieldsData, reader: Opened["reader"]): InnerFile {
  const isMessage = attached.innerMsgContentFields !== undefined;
  return {
    name: attached.fileName ?? attached.name ?? attached.fileNameShort ?? "",
    declaredMimeType: isMessage ? mediaTypes.msg : (attached.attachMimeTag ?? null),
    open: () => Buffer.from(reader.getAttachment(attached).content ?? new Uint8Array()),
  };
}
