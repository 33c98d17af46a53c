import { chardet } from "jschardet";
import { decodeAs } from "../encodings.js";

/**
 * Encodings that texts of offices are in, by the name that the library has for them. Of those that it knows besides,
 * each would be taken for one of these, or the other way round, more often than a file in it comes along.
 */
const known: Readonly<Record<string, string>> = {
  cp1250: "windows-1250",
  cp1251: "windows-1251",
  cp1252: "windows-1252",
  cp1253: "windows-1253",
  cp1254: "windows-1254",
  cp1255: "windows-1255",
  cp1256: "windows-1256",
  cp1257: "windows-1257",
  cp1258: "windows-1258",
  cp874: "windows-874",
  "iso8859-2": "iso-8859-2",
  "iso8859-5": "iso-8859-5",
  "iso8859-6": "iso-8859-6",
  "iso8859-7": "iso-8859-7",
  "iso8859-8": "iso-8859-8",
  "iso8859-9": "iso-8859-9",
  "koi8-r": "koi8-r",
  "koi8-u": "koi8-u",
  "mac-cyrillic": "x-mac-cyrillic",
  cp437: "cp437",
  cp850: "cp850",
  cp852: "cp852",
  cp855: "cp855",
  cp866: "ibm866",
  cp932: "shift_jis",
  shift_jis_2004: "shift_jis",
  euc_jis_2004: "euc-jp",
  cp949: "euc-kr",
  euc_kr: "euc-kr",
  gb18030: "gb18030",
  big5hkscs: "big5",
};
/** Encodings of Latin script. */
const latin: ReadonlySet<string> = new Set([
  ...["windows-1250", "windows-1252", "windows-1254", "windows-1257", "windows-1258"],
  ...["iso-8859-2", "iso-8859-9", "cp437", "cp850", "cp852"],
]);
const western = "windows-1252";

/** So many bytes are enough to guess an encoding. Reading all of a large file would tell nothing more. */
const examinedBytes = 65_536;
/** Of the letters of Latin texts, fewer than these have accents. */
const mostAccents = 0.35;
/** Of those in words that have any, too: where a page's tags are ASCII, the words of another script still are not. */
const mostAccentsInWords = 0.6;
/** Fewer letters say nothing of words: a French text may have `à` alone. */
const enoughLetters = 8;
/** So many bytes beside a letter may belong to it, or to its word. */
const besideBytes = 4;
/** Fewer letters of another script, or signs, may be of any. */
const leastLetters = 4;
/**
 * Most files are Western European, so that another guess has to be so much surer: by one or two letters, the library
 * tells hardly anything.
 */
const leastLead = { byFew: 1.5, byMore: 1.3 };
const few = 3;
/** Guesses that are less sure by so much are not looked at. */
const leastShare = 0.05;

/** The encoding that bytes look like by their letters; null where they look Western European. */
export function guessedEncoding(bytes: Buffer): string | null {
  const sample = sampleOf(bytes);
  const letters = lettersOf(sample);
  const { accents } = letters;
  const isLatin = isLatinScript(letters);
  if (!isLatin && accents < leastLetters) return null;
  const options = { includeEncodings: Object.keys(known), compatNames: false, ignoreThreshold: true };
  const guesses = chardet
    .detectAll(isLatin ? sample : withoutTags(sample), options)
    .map(({ encoding, confidence }) => ({ encoding: known[encoding ?? ""] ?? western, confidence }))
    .filter(({ encoding }) => !isLatin || latin.has(encoding));
  const least = (guesses[0]?.confidence ?? 0) * leastShare;
  let best = { encoding: western, weight: 0 };
  for (const { encoding, confidence } of guesses.filter((guess) => guess.confidence >= least)) {
    const strange = strangeShare(sample, encoding, accents);
    const lead = accents < few ? leastLead.byFew : leastLead.byMore;
    const weight = confidence * (1 - strange) ** 2 * (encoding === western && strange === 0 ? lead : 1);
    if (weight > best.weight) best = { encoding, weight };
  }
  return best.encoding === western ? null : best.encoding;
}

/** Whole lines from the first one that is not ASCII. */
function sampleOf(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte > 0x7f);
  const from = first <= examinedBytes / 2 ? 0 : bytes.lastIndexOf(0x0a, first) + 1;
  const sample = bytes.subarray(Math.max(from, first - examinedBytes / 2)).subarray(0, examinedBytes);
  const end = sample.length < examinedBytes ? -1 : sample.lastIndexOf(0x0a);
  return end <= examinedBytes / 2 ? sample : sample.subarray(0, end);
}

/** The letters of a page alone, with what stands beside them: tags would be taken for words of English. */
function withoutTags(bytes: Buffer): Buffer {
  const kept = Buffer.alloc(bytes.length);
  let [length, until] = [0, 2 * besideBytes];
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at + besideBytes] ?? 0) > 0x7f) until = at + 2 * besideBytes;
    if (at <= until) kept[length++] = bytes[at] ?? 0;
  }
  return kept.subarray(0, length);
}

interface Letters {
  /** Bytes that are not ASCII. */
  readonly accents: number;
  readonly ascii: number;
  /** Letters of ASCII in words that hold others, too. */
  readonly asciiBeside: number;
}

function lettersOf(bytes: Buffer): Letters {
  let [accents, ascii, asciiBeside, inWord] = [0, 0, 0, 0];
  let isBeside = false;
  for (const byte of bytes) {
    if (byte > 0x7f) {
      accents++;
      isBeside = true;
    } else if ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a) {
      ascii++;
      inWord++;
    } else {
      if (isBeside) asciiBeside += inWord;
      inWord = 0;
      isBeside = false;
    }
  }
  return { accents, ascii, asciiBeside: asciiBeside + (isBeside ? inWord : 0) };
}

function isLatinScript({ accents, ascii, asciiBeside }: Letters): boolean {
  if (accents >= mostAccents * (accents + ascii)) return false;
  return accents < enoughLetters || accents < mostAccentsInWords * (accents + asciiBeside);
}

/** So much of a text shows whether its characters stand where people write them. */
const readBytes = 16_384;

/** What nobody writes so: a sign within a word, a capital after a small letter, two scripts in a word. */
const strangePlaces =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class
  /\p{L}[^\p{L}\p{M}\u0000-\u007f\u2019\u00ad\u00b7\u00a0\u2013\u2014\u200c\u200d](?=\p{L})|\p{L}[‚„ƒˆ‰†‡¡¢£¤¿‹](?!\p{L})|(?<!\p{L})[ƒˆ‰†‡¢¤](?=\p{L})|[\u0080-\u009f\ufffd\ue000-\uf8ff]|\p{Ll}(?=(?![A-Z])\p{Lu})|(?![a-z])\p{Ll}(?=\p{Lu})|[A-Za-z](?=(?!\p{Script=Latin})\p{L})|(?!\p{Script=Latin})\p{L}(?=[A-Za-z])/gu;

/** Which share of the characters beyond ASCII stands in strange places, where bytes are read in an encoding. */
function strangeShare(sample: Buffer, encoding: string, accents: number): number {
  const examined = sample.subarray(0, readBytes);
  const count = examined.length === sample.length ? accents : lettersOf(examined).accents;
  const text = decodeAs(examined, encoding);
  const strange = text?.match(strangePlaces)?.length ?? 0;
  return text === null || count === 0 ? 0 : Math.min(1, strange / count);
}
