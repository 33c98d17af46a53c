import chardet from "chardet";
import { wideEncoding } from "./detect/textContent.js";

/** How a file's bytes became characters, or why they did not. `isUnstorable`: as characters that nothing can keep. */
type Decoded =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string; readonly isUnstorable?: true };

/** How many bytes at the start are searched for a declaration of the encoding. */
const declarationBytes = 1_024;
const byteOrderMarks: readonly { readonly bytes: readonly number[]; readonly encoding: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: "utf-8" },
  { bytes: [0xff, 0xfe], encoding: "utf-16le" },
  { bytes: [0xfe, 0xff], encoding: "utf-16be" },
];

/**
 * Decodes a text file. A byte order mark wins over the media type's charset, and that over the file's own declaration.
 * Without any of them the file is UTF-16 or UTF-8 where that fits, else what its bytes look like, else Windows-1252,
 * which most older files are. If the bytes do not fit a declared encoding, the file is corrupt: nothing is guessed.
 */
export function decodeText(bytes: Buffer, charset: string | null, declared: RegExp | null): Decoded {
  const mark = byteOrderMarks.find((candidate) => candidate.bytes.every((byte, index) => bytes[index] === byte));
  const encoding = mark?.encoding ?? charset ?? declaredIn(bytes, declared);
  if (encoding !== null) return decodeAs(bytes, encoding);
  const utf8 = decodeAs(bytes, wideEncoding(bytes) ?? "utf-8");
  if (utf8.ok || utf8.isUnstorable === true) return utf8;
  const guessed = guessedEncoding(bytes);
  const read = guessed === null ? utf8 : decodeAs(bytes, guessed);
  return read.ok ? read : decodeAs(bytes, "windows-1252");
}

function declaredIn(bytes: Buffer, pattern: RegExp | null): string | null {
  return pattern?.exec(bytes.toString("latin1", 0, declarationBytes))?.[1] ?? null;
}

function decodeAs(bytes: Buffer, encoding: string): Decoded {
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(encoding, { fatal: true });
  } catch {
    return { ok: false, reason: `The encoding ${JSON.stringify(encoding.slice(0, 40))} is not known.` };
  }
  try {
    const text = decoder.encoding === "windows-1252" ? decodeWindows1252(bytes) : decoder.decode(bytes);
    return text.includes("\0")
      ? { ok: false, reason: "The file holds NUL characters: it is no text.", isUnstorable: true }
      : { ok: true, text };
  } catch {
    const reason = `The file is not valid ${decoder.encoding}.`;
    // Whole units of UTF-16 are invalid in one way alone: a surrogate without the other one of its pair.
    const isUnpaired = decoder.encoding.startsWith("utf-16") && bytes.length % 2 === 0;
    return isUnpaired ? { ok: false, reason, isUnstorable: true } : { ok: false, reason };
  }
}

/** The characters of 0x80 to 0x9f; elsewhere Windows-1252 is Latin-1. */
const windows1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** Node's own decoder takes these bytes for control characters. */
const decodeWindows1252 = (bytes: Buffer): string =>
  bytes.toString("latin1").replace(/[\u0080-\u009f]/g, (control) => windows1252.charAt(control.charCodeAt(0) - 0x80));

/** So many bytes are enough to guess the encoding. Reading all of a large file would tell nothing more. */
const examinedBytes = 65_536;
/**
 * The least confidence, of a hundred, that a guess has to have. The library finds less than that in nearly any text.
 */
const leastConfidence = 30;
/** A guess has to be so much surer than the Western European one, since most files are Western European. */
const leastLead = 1.5;
/** The encodings whose texts Windows-1252 reads as well. */
const western: ReadonlySet<string> = new Set(["ISO-8859-1", "windows-1252", "ASCII"]);

/** The encoding that bytes look like by their letters; null: they look Western European, or there are too few. */
function guessedEncoding(bytes: Buffer): string | null {
  const guesses = chardet.analyse(bytes.subarray(0, examinedBytes));
  const [best] = guesses;
  if (best === undefined || best.confidence < leastConfidence || western.has(best.name)) return null;
  const asWestern = guesses.find(({ name }) => western.has(name))?.confidence ?? 0;
  return best.confidence >= asWestern * leastLead ? best.name : null;
}
