/**
 * A text on its way into the log. A large one is its UTF-8 bytes in memory that threads share: handed on, it is not
 * copied, which would hold the event loop up.
 */
export type CarriedText = string | Uint8Array;

/**
 * Bytes on their way into the log that lie in a file of this machine, and stay there until they have arrived. Memory
 * that threads share is given back late: tens of megabytes of each upload would gather.
 */
export interface CarriedFile {
  readonly path: string;
  /** All that it holds. */
  readonly bytes: number;
}

/** Below it, sharing memory costs more than a copy. */
const largeUnits = 262_144;

/** Copies a large text into shared memory. For a thread where that may take its time. */
export function carry(text: string): CarriedText {
  if (text.length <= largeUnits) return text;
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)));
  bytes.write(text);
  return bytes;
}

/** The text itself. */
export const carriedString = (text: CarriedText): string =>
  typeof text === "string" ? text : asBuffer(text).toString();

/** Its bytes, without a copy where it is carried as such. */
export const carriedBytes = (text: CarriedText): Buffer =>
  typeof text === "string" ? Buffer.from(text) : asBuffer(text);

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
