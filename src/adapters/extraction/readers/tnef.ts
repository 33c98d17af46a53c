import { decodeAs } from "../encodings.js";
import { encodingOfCodePage, outlookBodyText } from "./outlookBody.js";
import { messageText } from "./messageText.js";
import { UnreadableFile, type InnerFile, type Reader } from "./reader.js";

/** What Outlook wraps a mail in (`winmail.dat`): its subject, its body, and what is attached. */
export const tnef: Reader = {
  async read({ bytes }, context) {
    const message = readMessage(bytes);
    const { properties } = message;
    const plain = properties.text(tags.body) ?? message.body;
    const body = {
      plain,
      page: properties.bytes(tags.html),
      pageCodePage: properties.number(tags.internetCodePage),
      compressedRtf: properties.bytes(tags.compressedRtf),
    };
    const text = {
      subject: properties.text(tags.subject) ?? message.subject ?? null,
      from: [properties.text(tags.senderName) ?? ""].filter((name) => name !== ""),
      to: [],
      cc: [],
      date: null,
      body: await outlookBodyText(body, context),
      attachments: message.attachments.map(attachmentOf),
    };
    return messageText(text, context);
  },
};

/** Properties of mails and of what is attached to them, by their numbers. */
const tags = {
  subject: 0x0037,
  senderName: 0x0c1a,
  body: 0x1000,
  compressedRtf: 0x1009,
  html: 0x1013,
  internetCodePage: 0x3fde,
  data: 0x3701,
  longName: 0x3707,
  shortName: 0x3704,
  mediaType: 0x370e,
} as const;

/** Attributes that hold something to read; the upper half of their numbers says of what kind it is. */
const attributes = {
  subject: 0x8004,
  body: 0x800c,
  codePage: 0x9007,
  properties: 0x9003,
  attachmentBegins: 0x9002,
  attachmentTitle: 0x8010,
  attachmentData: 0x800f,
  attachmentProperties: 0x9005,
} as const;

interface Attached {
  title?: string;
  data?: Buffer;
  properties?: Properties;
}

interface WrappedMessage {
  subject?: string;
  body?: string;
  properties: Properties;
  readonly attachments: Attached[];
}

const signature = 0x223e9f78;
const headBytes = 6;
const attributeHeadBytes = 9;
const checksumBytes = 2;
const mostAttributes = 100_000;

function readMessage(bytes: Buffer): WrappedMessage {
  if (bytes.length < headBytes || bytes.readUInt32LE(0) !== signature)
    throw new UnreadableFile("The file is damaged: it is no message of Outlook.");
  const message: WrappedMessage = { properties: new Properties(Buffer.alloc(0), usualEncoding), attachments: [] };
  let encoding = usualEncoding;
  let count = 0;
  for (let at = headBytes; at + attributeHeadBytes <= bytes.length && count < mostAttributes; count++) {
    const name = bytes.readUInt16LE(at + 1);
    const start = at + attributeHeadBytes;
    const end = start + bytes.readUInt32LE(at + 5);
    const data = bytes.subarray(start, end);
    if (name === attributes.codePage && data.length >= 4) encoding = encodingOfCodePage(data.readUInt32LE(0));
    takeAttribute(message, name, data, encoding);
    at = end + checksumBytes;
  }
  return message;
}

const usualEncoding = "windows-1252";

function takeAttribute(message: WrappedMessage, name: number, data: Buffer, encoding: string): void {
  if (name === attributes.subject) message.subject = textOf(data, encoding);
  if (name === attributes.body) message.body = textOf(data, encoding);
  if (name === attributes.properties) message.properties = new Properties(data, encoding);
  if (name === attributes.attachmentBegins) message.attachments.push({});
  const attached = message.attachments.at(-1);
  if (attached === undefined) return;
  if (name === attributes.attachmentTitle) attached.title = textOf(data, encoding);
  if (name === attributes.attachmentData) attached.data = data;
  if (name === attributes.attachmentProperties) attached.properties = new Properties(data, encoding);
}

/** Texts end with a NUL. */
const textOf = (data: Buffer, encoding: string): string =>
  (decodeAs(data, encoding) ?? data.toString("latin1")).replaceAll("\0", "");

function attachmentOf({ title, data, properties }: Attached): InnerFile {
  const name = properties?.text(tags.longName) ?? title ?? properties?.text(tags.shortName) ?? "";
  const object = properties?.object(tags.data);
  return {
    name,
    declaredMimeType: object === undefined ? (properties?.text(tags.mediaType) ?? null) : "application/ms-tnef",
    open: () => object ?? data ?? properties?.bytes(tags.data) ?? Buffer.alloc(0),
  };
}

/** Kinds of values, by their numbers, and how many bytes those of one size take. */
const [ansiText, unicodeText, objectKind, binary] = [0x1e, 0x1f, 0x0d, 0x0102];
const sizes: Readonly<Record<number, number | undefined>> = {
  ...{ 0x02: 4, 0x03: 4, 0x04: 4, 0x05: 8, 0x06: 8, 0x07: 8, 0x0a: 4, 0x0b: 4, 0x14: 8, 0x40: 8, 0x48: 16 },
};
const several = 0x1000;
const firstNamed = 0x8000;
const setBytes = 16;
const mostProperties = 10_000;
const mostValues = 100_000;

interface Value {
  readonly kind: number;
  readonly bytes: Buffer;
}

/** The properties of a mail or of an attachment, by their numbers. What breaks off has those that come before. */
class Properties {
  private readonly values = new Map<number, Value>();

  constructor(
    data: Buffer,
    private readonly encoding: string,
  ) {
    const reading = new Reading(data);
    const count = Math.min(reading.number(), mostProperties);
    for (let index = 0; index < count && !reading.isDone; index++) this.take(reading);
  }

  text(tag: number): string | undefined {
    const value = this.values.get(tag);
    if (value?.kind === unicodeText) return value.bytes.toString("utf16le").replaceAll("\0", "");
    return value?.kind === ansiText ? textOf(value.bytes, this.encoding) : undefined;
  }

  bytes(tag: number): Buffer | undefined {
    const value = this.values.get(tag);
    return value?.kind === binary ? value.bytes : undefined;
  }

  /** A mail that is attached as such: what is wrapped, behind the number of its kind. */
  object(tag: number): Buffer | undefined {
    const value = this.values.get(tag);
    const inner = value?.kind === objectKind ? value.bytes.subarray(setBytes) : undefined;
    return inner !== undefined && inner.length > headBytes && inner.readUInt32LE(0) === signature ? inner : undefined;
  }

  number(tag: number): number | undefined {
    const value = this.values.get(tag);
    return value?.kind === 0x03 ? value.bytes.readUInt32LE(0) : undefined;
  }

  private take(reading: Reading): void {
    const said = reading.number();
    const [type, tag] = [said & 0xffff, said >>> 16];
    if (tag >= firstNamed) skipName(reading);
    const kind = type & ~several;
    const size = sizes[kind];
    const isCounted = size === undefined || (type & several) !== 0;
    const count = isCounted ? Math.min(reading.number(), mostValues) : 1;
    for (let index = 0; index < count && !reading.isDone; index++) {
      const bytes = size === undefined ? reading.padded(reading.number()) : reading.padded(size);
      if (index === 0 && (size === undefined || bytes.length === size)) this.values.set(tag, { kind, bytes });
    }
  }
}

function skipName(reading: Reading): void {
  reading.padded(setBytes);
  if (reading.number() === 0) reading.number();
  else reading.padded(reading.number());
}

/** Numbers and values, one after the other. */
class Reading {
  private at = 0;

  constructor(private readonly data: Buffer) {}

  get isDone(): boolean {
    return this.at >= this.data.length;
  }

  /** 0 beyond the end. */
  number(): number {
    const number = this.at + 4 <= this.data.length ? this.data.readUInt32LE(this.at) : 0;
    this.at += 4;
    return number;
  }

  /** Values fill up to four bytes. */
  padded(length: number): Buffer {
    const value = this.data.subarray(this.at, this.at + length);
    this.at += Math.ceil(length / 4) * 4;
    return value;
  }
}
