/** Encodings of text that take two or four bytes for a letter. */
export type WideEncoding = "utf-16le" | "utf-16be" | "utf-32le" | "utf-32be";

/** So much of a file shows whether it is text. */
const examinedBytes = 65_536;
/** In fewer bytes, a NUL between letters is a mistake rather than a sign of UTF-16. */
const leastBytes = 8;

/** The mark of UTF-32 begins with that of UTF-16, so it is looked for first. */
const marks: readonly { readonly bytes: Buffer; readonly encoding: WideEncoding }[] = [
  { bytes: Buffer.from([0xff, 0xfe, 0, 0]), encoding: "utf-32le" },
  { bytes: Buffer.from([0, 0, 0xfe, 0xff]), encoding: "utf-32be" },
  { bytes: Buffer.from([0xff, 0xfe]), encoding: "utf-16le" },
  { bytes: Buffer.from([0xfe, 0xff]), encoding: "utf-16be" },
];

/** The encoding that a byte order mark names; null where there is none, or where what follows is no such text. */
export function markedEncoding(bytes: Buffer): WideEncoding | null {
  const found = marks.filter((mark) => bytes.subarray(0, mark.bytes.length).equals(mark.bytes));
  return found.find(({ bytes: mark, encoding }) => fits(bytes.subarray(mark.length), encoding))?.encoding ?? null;
}

/**
 * The wide encoding of a text that has no mark, in whatever script: spaces, digits and line ends of every script are
 * ASCII, and the letters of one text are of one script. Read the other way round, they are of dozens.
 */
export function wideEncoding(bytes: Buffer): WideEncoding | null {
  if (bytes.length < leastBytes || !bytes.subarray(0, examinedBytes).includes(0)) return null;
  const candidates: readonly WideEncoding[] = ["utf-32le", "utf-32be", "utf-16le", "utf-16be"];
  return candidates.find((encoding) => bytes.length % widthOf(encoding) === 0 && looksWide(bytes, encoding)) ?? null;
}

/** The encoding of a text that takes two or four bytes a letter, by its mark or by its letters. */
export const wideEncodingOf = (bytes: Buffer): WideEncoding | null => markedEncoding(bytes) ?? wideEncoding(bytes);

/** How many bytes a letter takes, but for the rare ones that take two such in UTF-16. */
export const widthOf = (encoding: WideEncoding): number => (encoding.startsWith("utf-32") ? 4 : 2);

/** The characters of a text; where the bytes stand for none, U+FFFD. Marks at the beginning are none of the text. */
export function decodeWide(bytes: Buffer, encoding: WideEncoding): string {
  const text = widthOf(encoding) === 4 ? decodeUtf32(bytes, encoding) : new TextDecoder(encoding).decode(bytes);
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

const piece = 8_192;

function decodeUtf32(bytes: Buffer, encoding: WideEncoding): string {
  const isLittle = encoding === "utf-32le";
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 4 * piece) {
    const points: number[] = [];
    for (let next = at; next + 4 <= Math.min(bytes.length, at + 4 * piece); next += 4) {
      const point = isLittle ? bytes.readUInt32LE(next) : bytes.readUInt32BE(next);
      points.push(point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff) ? 0xfffd : point);
    }
    pieces.push(String.fromCodePoint(...points));
  }
  return pieces.join("");
}

/** Where a mark says what a file is, little speaks against it: characters that nobody writes. */
const mostUnwritten = 0.02;

/** Whether a text that a mark names is one; what is cut off at its end counts for nothing. */
function fits(bytes: Buffer, encoding: WideEncoding): boolean {
  const start = decodeWide(bytes.subarray(0, examinedBytes), encoding);
  return (start.match(unwritten)?.length ?? 0) <= 1 + start.length * mostUnwritten;
}

/** Characters that stand in no text: none at all, of private use, replaced ones, and control characters. */
// eslint-disable-next-line no-control-regex
const unwritten = /[\p{Cn}\p{Co}\p{Cs}\ufffd\u0000-\u0008\u000e-\u0019\u001c-\u001f\u007f-\u0084\u0086-\u009f]/gu;
/** Spaces and line ends, digits, marks and letters of ASCII. */
const ascii = /[\t\n\r\u0020-\u007e]/g;
/** Characters whose lower byte is zero, as ASCII has it when it is read the wrong way round; some are written. */
// eslint-disable-next-line no-misleading-character-class
const swapped = /[^\u4e00\u3000\uff00\u0100\u0400]/;

/** Of the letters of a text, so many are of one script, or of Latin. */
const leastOfOneScript = 0.9;
/** Texts hold at least so much ASCII, of a hundred characters. */
const leastAscii = 2;

function looksWide(bytes: Buffer, encoding: WideEncoding): boolean {
  const text = decodeWide(bytes.subarray(0, examinedBytes), encoding);
  const plain = text.match(ascii)?.length ?? 0;
  if (plain === 0 || plain * 100 < text.length * leastAscii) return false;
  if ((text.match(unwritten)?.length ?? 0) > text.length / 1_000) return false;
  return swappedIn(text) < plain && shareOfMainScript(text) >= leastOfOneScript;
}

function swappedIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++)
    if ((text.charCodeAt(at) & 0xff) === 0 && swapped.test(text.charAt(at))) count++;
  return count;
}

/** By the first character of each block of letters that one script has; what Chinese and Japanese share is one. */
const scriptStarts: readonly (readonly [number, string])[] = [
  [0x0000, "Latin"],
  [0x0370, "Greek"],
  [0x0400, "Cyrillic"],
  [0x0530, "Armenian"],
  [0x0590, "Hebrew"],
  [0x0600, "Arabic"],
  [0x0700, "other Semitic"],
  [0x0900, "Indic"],
  [0x0e00, "Thai and Lao"],
  [0x0f00, "Tibetan"],
  [0x1000, "Burmese"],
  [0x10a0, "Georgian"],
  [0x1100, "East Asian"],
  [0x1200, "Ethiopic"],
  [0x1380, "rare"],
  [0x1780, "Khmer"],
  [0x1800, "Mongolian"],
  [0x1900, "rare"],
  [0x1e00, "Latin"],
  [0x1f00, "Greek"],
  [0x2000, "signs"],
  [0x2e80, "East Asian"],
  [0xa000, "rare"],
  [0xac00, "East Asian"],
  [0xd7a4, "rare"],
  [0xd800, "signs"],
  [0xe000, "rare"],
  [0xf900, "East Asian"],
  [0xfb00, "Latin"],
  [0xfb1d, "Hebrew"],
  [0xfb50, "Arabic"],
  [0xfe00, "signs"],
  [0xfe70, "Arabic"],
  [0xff00, "East Asian"],
];

/** Looked for by halves, since each character of a text is. */
function scriptOf(unit: number): string {
  let [low, high] = [0, scriptStarts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((scriptStarts[middle]?.[0] ?? 0) <= unit) low = middle;
    else high = middle - 1;
  }
  return scriptStarts[low]?.[1] ?? "rare";
}

/** Which share of the letters beyond ASCII is of the script that has the most, of Latin, or a sign. */
function shareOfMainScript(text: string): number {
  const counts = new Map<string, number>();
  let letters = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    letters++;
    const script = scriptOf(unit);
    counts.set(script, (counts.get(script) ?? 0) + 1);
  }
  const common = (counts.get("Latin") ?? 0) + (counts.get("signs") ?? 0);
  const main = Math.max(0, ...[...counts].filter(([name]) => name !== "Latin" && name !== "signs").map(([, n]) => n));
  return letters === 0 ? 1 : (common + main) / letters;
}
