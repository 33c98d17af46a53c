import { asWindows1252 } from "./encodings.js";

/** So many bytes show of what a file consists. */
const examinedBytes = 65_536;

/** Whether a text is UTF-8 but for bytes that came from elsewhere. */
export function isMostlyUtf8(bytes: Buffer): boolean {
  const first = bytes.findIndex((byte) => byte > 0x7f);
  const examined = bytes.subarray(first, first + examinedBytes);
  let balance = 0;
  for (let at = 0; at < examined.length;) {
    const length = sequenceLength(examined, at);
    if (length !== 1) balance += length === 0 ? -1 : 1;
    at += Math.max(1, length);
  }
  return balance >= 0;
}

/** Text in UTF-8, with bytes in between that are Windows-1252, as logs of several programs hold it. */
export const decodeMostlyUtf8 = (bytes: Buffer): string => decodeBySequence(bytes, () => true);

/**
 * Text in Windows-1252, which may hold lines in UTF-8: what that writes for letters of Latin script and for quotation
 * marks, nobody writes in Windows-1252.
 */
export const decodeWestern = (bytes: Buffer): string =>
  decodeBySequence(bytes, (first, second) => (first >= 0xc2 && first <= 0xc5) || (first === 0xe2 && second <= 0x84));

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** How many bytes UTF-8 takes for the character that begins here; 0 where none does. */
function sequenceLength(bytes: Buffer, at: number): number {
  const [first = 0, second = 0] = [bytes[at], bytes[at + 1]];
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || !isContinuation(second) || isForbidden(first, second)) return 0;
  for (let next = 2; next < length; next++) if (!isContinuation(bytes[at + next])) return 0;
  return length;
}

/** Second bytes that would write a character longer than needed, half of a pair, or one beyond the last. */
const isForbidden = (first: number, second: number): boolean =>
  (first === 0xe0 && second < 0xa0) ||
  (first === 0xed && second > 0x9f) ||
  (first === 0xf0 && second < 0x90) ||
  (first === 0xf4 && second > 0x8f);

/** Every byte of Windows-1252 as UTF-8 writes it. */
const westernBytes: readonly Buffer[] = Array.from({ length: 256 }, (_, byte) =>
  Buffer.from(asWindows1252(String.fromCharCode(byte))),
);

const pieceBytes = 65_536;
const mostBytesOfACharacter = 4;

/** Decodes sequences of UTF-8 that are taken for such, and every other byte as Windows-1252. */
function decodeBySequence(bytes: Buffer, isTaken: (first: number, second: number) => boolean): string {
  const repaired = Buffer.alloc(pieceBytes + mostBytesOfACharacter);
  const texts: string[] = [];
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    const sequence = sequenceLength(bytes, at);
    if (sequence === 1) {
      repaired[length++] = byte;
    } else if (sequence > 1 && isTaken(byte, bytes[at + 1] ?? 0)) {
      length += bytes.copy(repaired, length, at, at + sequence);
      at += sequence - 1;
    } else {
      length += westernBytes[byte]?.copy(repaired, length) ?? 0;
    }
    if (length < pieceBytes) continue;
    texts.push(repaired.toString("utf8", 0, length));
    length = 0;
  }
  texts.push(repaired.toString("utf8", 0, length));
  return texts.join("");
}
