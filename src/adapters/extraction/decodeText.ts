import { isUtf8 } from "node:buffer";
import { decodeAs, encodingNamed, asWindows1252 } from "./encodings.js";
import { decodeWide, markedEncoding, wideEncoding } from "./detect/wideText.js";

/** How a file's bytes became characters, or why they did not. `isUnstorable`: as characters that nothing can keep. */
type Decoded =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string; readonly isUnstorable?: true };

/**
 * Decodes a text file. A byte order mark wins over the media type's charset, and that over the file's own declaration.
 * What the client declared has to fit but for a few bytes; otherwise the file is corrupt, and nothing is guessed. The
 * file's own declaration, which its author often never saw, gives way to what fits. Without any of them the file is
 * UTF-16, UTF-32 or UTF-8 where that fits, else what its bytes look like, else Windows-1252, which most older files
 * are.
 */
export async function decodeText(bytes: Buffer, charset: string | null, declared: RegExp | null): Promise<Decoded> {
  const marked = markedEncoding(bytes);
  if (marked !== null) return decoded(withoutNul(decodeWide(bytes, marked)));
  if (bytes.subarray(0, utf8Mark.length).equals(utf8Mark)) return decoded(await decodeMarkedUtf8(bytes));
  const wide = wideEncoding(bytes);
  if (wide !== null && !isWide(charset ?? "")) return decoded(withoutNul(decodeWide(bytes, wide)));
  if (charset !== null) return decodeDeclared(bytes, charset);
  return decoded(decodeAsSaid(bytes, declaredIn(bytes, declared)) ?? (await decodeUndeclared(bytes)));
}

const decoded = (text: string): Decoded =>
  text.includes("\0")
    ? { ok: false, reason: "The file holds NUL characters: it is no text.", isUnstorable: true }
    : { ok: true, text };

/** In text of two bytes a letter, a NUL is a character too many, and no sign that the file is no text. */
const withoutNul = (text: string): string => text.replaceAll("\0", "");

const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf]);

const decodeMarkedUtf8 = async (bytes: Buffer): Promise<string> =>
  decodeAsSaid(bytes, "utf-8") ?? decodeUndeclared(bytes.subarray(utf8Mark.length));

async function decodeDeclared(bytes: Buffer, charset: string): Promise<Decoded> {
  const text = decodeAs(bytes, charset);
  if (text === null) return { ok: false, reason: `The encoding ${JSON.stringify(charset.slice(0, 40))} is not known.` };
  if (!text.includes("\ufffd")) return decoded(text);
  if (!hasFewFaults(text)) return notValid(bytes, charset);
  return decoded(encodingNamed(charset) === "utf-8" ? await decodeUndeclared(bytes) : text);
}

/** Whole units of UTF-16 are invalid in one way alone: a surrogate without the other one of its pair. */
function notValid(bytes: Buffer, charset: string): Decoded {
  const reason = `The file is not valid ${encodingNamed(charset) ?? charset}.`;
  return isWide(charset) && bytes.length % 2 === 0 ? { ok: false, reason, isUnstorable: true } : { ok: false, reason };
}

const isWide = (charset: string): boolean => /^(?:utf-16|utf-32)/.test(encodingNamed(charset) ?? "");

/** Of so many characters, one may be none: a byte gone wrong on the way, or pasted from another file. */
const charactersToAFault = 50;

function hasFewFaults(text: string): boolean {
  let faults = 0;
  for (let at = text.indexOf("\ufffd"); at !== -1; at = text.indexOf("\ufffd", at + 1)) faults++;
  return faults * charactersToAFault <= text.length;
}

/** How many bytes at the start are searched for a declaration of the encoding. */
const declarationBytes = 1_024;

function declaredIn(bytes: Buffer, pattern: RegExp | null): string | null {
  return pattern?.exec(bytes.toString("latin1", 0, declarationBytes))?.[1] ?? null;
}

/** Encodings whose letters may happen to be valid UTF-8. In others that never happens, but for a letter or two. */
const ofManyBytes = /^(?:gb|big5|euc-|shift_jis|iso-2022)/;

/** The text as the file says that it is; null where that is not so. */
function decodeAsSaid(bytes: Buffer, said: string | null): string | null {
  const encoding = said === null ? null : encodingNamed(said);
  // A file whose declaration can be read byte by byte is not in UTF-16, whatever it says.
  if (encoding === null || encoding === "utf-8" || isWide(encoding)) return null;
  if (!ofManyBytes.test(encoding) && isUtf8(bytes)) return null;
  const text = decodeAs(bytes, encoding);
  return text !== null && hasFewFaults(text) ? text : null;
}

/** Decodes a text of which nothing was said, by what fits. */
export async function decodeUndeclared(bytes: Buffer): Promise<string> {
  if (isUtf8(bytes)) return decodeAs(bytes, holdsEscapes(bytes) ? "iso-2022-jp" : "utf-8") ?? "";
  if (isMostlyUtf8(bytes)) return decodeMostlyUtf8(bytes);
  const guess = await guessEncoding(bytes);
  const text = guess === null ? null : decodeAs(bytes, guess);
  return text !== null && hasFewFaults(text) ? text : decodeWestern(bytes);
}

/** As `guessedEncoding` does. The library takes a while to load, and most texts are UTF-8. */
export async function guessEncoding(bytes: Buffer): Promise<string | null> {
  const { guessedEncoding } = await import("./detect/guessedEncoding.js");
  return guessedEncoding(bytes);
}

/** How ISO-2022-JP begins to write Japanese. */
const escapes = ["\x1b$B", "\x1b$@"];
const holdsEscapes = (bytes: Buffer): boolean => escapes.some((escape) => bytes.includes(escape, 0, "latin1"));

/** So many bytes show of what a file consists. */
const examinedBytes = 65_536;

/** Whether a text is UTF-8 but for bytes that came from elsewhere. */
function isMostlyUtf8(bytes: Buffer): boolean {
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
const decodeMostlyUtf8 = (bytes: Buffer): string => decodeBySequence(bytes, () => true);

/**
 * Text in Windows-1252, which may hold lines in UTF-8: what that writes for letters of Latin script and for quotation
 * marks, nobody writes in Windows-1252.
 */
const decodeWestern = (bytes: Buffer): string =>
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
