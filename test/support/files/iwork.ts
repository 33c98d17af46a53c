import { zip } from "./zip.js";

const varint = (value: number): Buffer => {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left]);
    bytes.push((left % 128) | 0x80);
  }
};

/** A field of a message: a number, or bytes. */
const field = (number: number, value: number | Buffer): Buffer =>
  typeof value === "number"
    ? Buffer.concat([varint(number << 3), varint(value)])
    : Buffer.concat([varint((number << 3) | 2), varint(value.length), value]);

/** A record of one message, behind what it says of it. */
function record(kind: number, content: Buffer): Buffer {
  const said = Buffer.concat([field(1, kind), field(2, Buffer.from([1, 0])), field(3, content.length)]);
  const head = Buffer.concat([field(1, 7), field(2, said)]);
  return Buffer.concat([varint(head.length), head, content]);
}

/** Running text. */
export const runningText = (text: string): Buffer => record(2001, field(3, Buffer.from(text)));

/** The strings of a table's cells. */
export const cellTexts = (...texts: readonly string[]): Buffer =>
  record(
    6005,
    Buffer.concat(texts.map((text, key) => field(3, Buffer.concat([field(1, key), field(3, Buffer.from(text))])))),
  );

/** A part as Pages packs it: literals of at most sixty bytes, in one chunk. */
function packed(content: Buffer): Buffer {
  const pieces: Buffer[] = [varint(content.length)];
  for (let at = 0; at < content.length; at += 60) {
    const piece = content.subarray(at, at + 60);
    pieces.push(Buffer.from([(piece.length - 1) << 2]), piece);
  }
  return chunk(Buffer.concat(pieces));
}

export function chunk(bytes: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUIntLE(bytes.length, 1, 3);
  return Buffer.concat([head, bytes]);
}

/** A document of Pages, Numbers or Keynote from 2013 on: records by the names of their parts. */
export const iwork = (parts: Readonly<Record<string, readonly Buffer[]>>): Buffer =>
  zip(Object.fromEntries(Object.entries(parts).map(([name, records]) => [name, packed(Buffer.concat(records))])));
