import { ZipArchive } from "../archive/zipArchive.js";
import { TextBuilder } from "../textBuilder.js";
import { Flow, type FlowRules } from "../xml/flow.js";
import { readXml } from "../xml/readXml.js";
import { UnreadableFile, type Reader, type ReadingContext } from "./reader.js";

/** Documents of Pages, Numbers and Keynote: of 2013 and later as packed records, of 2009 as XML. */
export const iwork: Reader = {
  async read({ bytes }, context) {
    const archive = new ZipArchive(bytes, context);
    const text = new TextBuilder(context.maxCharacters);
    const old = archive.part("index.xml") ?? archive.part("index.apxl");
    if (old !== null) readOld(old, text);
    else for (const part of partsOf(archive, context)) addTexts(part, text, context);
    return { text: text.toString(), facts: {} };
  },
};

/** Text of 2009: paragraphs, and what the cells of tables say of themselves. */
const rules: FlowRules = {
  text: new Set(["p"]),
  lines: new Set(["p", "ct", "n"]),
  leftOut: new Set(["stylesheet", "metadata", "master-slides", "prototype-slides", "placeholders"]),
  apart: new Set(),
  signs: {
    tab: () => "\t",
    br: () => "\n",
    lnbr: () => "\n",
    crbr: () => "\n",
    ct: (attributes) => attributes.get("s") ?? "",
    n: (attributes) => attributes.get("v") ?? "",
  },
  isFlowing: true,
};

function readOld(bytes: Buffer, text: TextBuilder): void {
  readXml(bytes, "the document", new Flow(rules, text.room, text));
  text.endLine();
}

/** Masters hold hints, and the rest no text. */
const partsWithText = [/^Index\/Document\.iwa$/, /^Index\/Slide[-\d]*\.iwa$/, /^Index\/Tables\/DataList[-\d]*\.iwa$/];

/** In the order of the kinds of parts, and of their numbers. */
function partsOf(archive: ZipArchive, context: ReadingContext): readonly Buffer[] {
  const index = archive.entries.find(({ name }) => /(?:^|\/)Index\.zip$/.test(name));
  const within = index === undefined ? archive : new ZipArchive(archive.unpack(index), context);
  const numberOf = (name: string): number => Number(/-(\d+)\.iwa$/.exec(name)?.[1] ?? 0);
  return partsWithText.flatMap((pattern) =>
    within.entries
      .filter(({ name }) => pattern.test(name))
      .sort((one, other) => numberOf(one.name) - numberOf(other.name))
      .map((entry) => within.unpack(entry)),
  );
}

/** Kinds of records with text, and the fields that hold it: running text, and the strings of a table's cells. */
const storage = { kind: 2001, text: 3 } as const;
const dataList = { kind: 6005, entry: 3, text: 3 } as const;

function addTexts(part: Buffer, text: TextBuilder, context: ReadingContext): void {
  for (const { kind, content } of recordsOf(unpacked(part, context))) {
    if (text.isFull) return;
    const texts =
      kind === storage.kind
        ? fieldsOf(content, storage.text)
        : kind === dataList.kind
          ? fieldsOf(content, dataList.entry).flatMap((entry) => fieldsOf(entry, dataList.text))
          : [];
    for (const found of texts) text.addLines(shown(found));
  }
}

/** Places of pictures and ends of sections are characters in the text. */
const shown = (text: Buffer): string =>
  text
    .toString("utf8")
    .replace(/[\u2028\u2029\v\f]/g, "\n")
    .replaceAll("\u0005", "\n")
    .replace(/\ufffc|(?![\t\n\r])\p{Cc}/gu, "")
    .trim();

interface StoredRecord {
  readonly kind: number;
  readonly content: Buffer;
}

/** A record says first of what kinds its messages are, and how long. */
function* recordsOf(bytes: Buffer): Generator<StoredRecord> {
  for (let at = 0; at < bytes.length;) {
    const head = lengthAt(bytes, at);
    at = head.end + head.value;
    for (const message of fieldsOf(bytes.subarray(head.end, at), 2)) {
      const [kind, length] = [numberIn(message, 1), numberIn(message, 3)];
      yield { kind, content: bytes.subarray(at, at + length) };
      at += length;
    }
  }
}

interface Field {
  readonly number: number;
  /** A number, or the bytes of a text or of a message. */
  readonly value: number | Buffer;
}

const [asNumber, asEightBytes, asBytes, asFourBytes] = [0, 1, 2, 5];

/** The fields of a message of protocol buffers; what is damaged ends them. */
function* allFields(message: Buffer): Generator<Field> {
  for (let at = 0; at < message.length;) {
    const key = lengthAt(message, at);
    const [number, form] = [key.value >>> 3, key.value & 7];
    at = key.end;
    if (form === asNumber || form === asBytes) {
      const { value, end } = lengthAt(message, at);
      at = form === asBytes ? end + value : end;
      yield { number, value: form === asBytes ? message.subarray(end, at) : value };
    } else if (form === asEightBytes) at += 8;
    else if (form === asFourBytes) at += 4;
    else return;
  }
}

const fieldsOf = (message: Buffer, number: number): readonly Buffer[] =>
  [...allFields(message)].flatMap((field) =>
    field.number === number && Buffer.isBuffer(field.value) ? field.value : [],
  );

function numberIn(message: Buffer, number: number): number {
  for (const field of allFields(message))
    if (field.number === number && typeof field.value === "number") return field.value;
  return 0;
}

const mostVarintBytes = 10;

/** A number of as many bytes as it needs; what is over 2⁵³ counts as zero, for nothing here is so long. */
function lengthAt(bytes: Buffer, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let at = start; at < start + mostVarintBytes; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) break;
    value += (byte & 0x7f) * 2 ** (7 * (at - start));
    if (byte < 0x80) return { value: Number.isSafeInteger(value) ? value : 0, end: at + 1 };
  }
  throw damaged();
}

const damaged = (): UnreadableFile => new UnreadableFile("The document is damaged: its text cannot be unpacked.");

const chunkHeadBytes = 4;

/** A part is a row of chunks, each packed by itself. */
function unpacked(part: Buffer, context: ReadingContext): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at + chunkHeadBytes <= part.length;) {
    const length = part.readUIntLE(at + 1, 3);
    at += chunkHeadBytes;
    chunks.push(unsnapped(part.subarray(at, at + length), context));
    at += length;
  }
  return Buffer.concat(chunks);
}

/** Snappy packs a chunk as literals, and as copies of what came before. */
function unsnapped(packed: Buffer, context: ReadingContext): Buffer {
  const { value: size, end } = lengthAt(packed, 0);
  context.unpacked(size);
  const into = Buffer.alloc(size);
  let filled = 0;
  for (let at = end; at < packed.length;) {
    const tag = packed[at] ?? 0;
    at += 1;
    const literal = (tag & 3) === 0 ? literalAt(packed, tag, at) : null;
    if (literal !== null) {
      filled += packed.copy(into, filled, literal.start, literal.start + literal.length);
      at = literal.start + literal.length;
      continue;
    }
    const copy = copyAt(packed, tag, at);
    if (copy.offset === 0 || copy.offset > filled) throw damaged();
    // A copy may overlap what it writes.
    for (let left = copy.length; left > 0 && filled < size; left -= 1, filled += 1)
      into[filled] = into[filled - copy.offset] ?? 0;
    at = copy.end;
  }
  return into;
}

const longLiteral = 60;

function literalAt(packed: Buffer, tag: number, at: number): { readonly start: number; readonly length: number } {
  const short = tag >>> 2;
  if (short < longLiteral) return { start: at, length: short + 1 };
  const bytes = short - longLiteral + 1;
  return { start: at + bytes, length: packed.readUIntLE(at, bytes) + 1 };
}

function copyAt(packed: Buffer, tag: number, at: number): { offset: number; length: number; end: number } {
  if ((tag & 3) === 1)
    return { offset: ((tag >>> 5) << 8) | packed.readUInt8(at), length: ((tag >>> 2) & 7) + 4, end: at + 1 };
  const bytes = (tag & 3) === 2 ? 2 : 4;
  return { offset: packed.readUIntLE(at, bytes), length: (tag >>> 2) + 1, end: at + bytes };
}
