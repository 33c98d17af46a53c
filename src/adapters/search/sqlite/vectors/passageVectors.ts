import type { TextRange } from "../../../../analysis/nearness.js";

/** A passage's vector with an eighth of the room of numbers: each is a whole one from -127 to 127, times the scale. */
export interface QuantisedVector {
  /** Where the passage stands in its document's text, in UTF-16 units. */
  readonly passage: TextRange;
  readonly scale: number;
  readonly values: Int8Array;
}

const largest = 127;
/** The bytes for where a passage stands, and for its scale. */
const headBytes = 12;

/** Turns a vector into bytes. About a hundredth of what tells neighbours apart is lost (docs/benchmarks.md). */
export function quantise(passage: TextRange, vector: Float32Array): QuantisedVector {
  let most = 0;
  for (let n = 0; n < vector.length; n++) most = Math.max(most, Math.abs(vector[n] as number));
  const scale = most / largest;
  const values = new Int8Array(vector.length);
  for (let n = 0; n < vector.length; n++) values[n] = Math.round((vector[n] as number) / scale);
  return { passage, scale, values };
}

/** What {@link quantise} has left of a vector; it loses nothing more by being quantised again. */
export function toVector({ scale, values }: QuantisedVector): Float32Array {
  const vector = new Float32Array(values.length);
  for (let n = 0; n < values.length; n++) vector[n] = (values[n] as number) * scale;
  return vector;
}

/** The vectors of a document's passages as the file holds them. */
export function toBytes(passages: readonly QuantisedVector[]): Buffer {
  return Buffer.concat(
    passages.map(({ passage, scale, values }) => {
      const head = Buffer.alloc(headBytes);
      head.writeInt32LE(passage.start, 0);
      head.writeInt32LE(passage.end, 4);
      head.writeFloatLE(scale, 8);
      return Buffer.concat([head, Buffer.from(values.buffer, values.byteOffset, values.length)]);
    }),
  );
}

/** Reads what {@link toBytes} has written of vectors that have so many numbers. */
export function* fromBytes(bytes: Buffer, dimensions: number): Generator<QuantisedVector, void, void> {
  for (let at = 0; at + headBytes + dimensions <= bytes.length; at += headBytes + dimensions)
    yield {
      passage: { start: bytes.readInt32LE(at), end: bytes.readInt32LE(at + 4) },
      scale: bytes.readFloatLE(at + 8),
      values: new Int8Array(bytes.buffer, bytes.byteOffset + at + headBytes, dimensions),
    };
}
