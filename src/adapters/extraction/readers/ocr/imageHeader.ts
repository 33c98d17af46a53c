/** What the head of an image says of it. */
export interface ImageHeader {
  readonly width: number;
  readonly height: number;
}

/** The size of a PNG, JPEG, GIF, WebP, BMP, HEIC or TIFF, without decoding it; null where it is none, or damaged. */
export function imageHeader(bytes: Buffer): ImageHeader | null {
  try {
    return formOf(bytes)?.read(bytes) ?? null;
  } catch {
    // It ends within its head.
    return null;
  }
}

/** Which of these an image begins as, whole or not; null: as none. */
export const imageTypeOf = (bytes: Buffer): string | null => formOf(bytes)?.mimeType ?? null;

const formOf = (bytes: Buffer): Form | undefined => {
  const start = bytes.toString("latin1", 0, 16);
  return forms.find(({ signature }) => signature.test(start));
};

interface Form {
  readonly mimeType: string;
  readonly signature: RegExp;
  read(bytes: Buffer): ImageHeader | null;
}

const forms: readonly Form[] = [
  {
    mimeType: "image/png",
    signature: /^\x89PNG\r\n/,
    read: (bytes) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }),
  },
  { mimeType: "image/jpeg", signature: /^\xff\xd8\xff/, read: jpegHeader },
  {
    mimeType: "image/gif",
    signature: /^GIF8[79]a/,
    read: (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  },
  { mimeType: "image/webp", signature: /^RIFF[^]{4}WEBP/, read: webpHeader },
  {
    mimeType: "image/bmp",
    signature: /^BM/,
    read: (bytes) => ({ width: Math.abs(bytes.readInt32LE(18)), height: Math.abs(bytes.readInt32LE(22)) }),
  },
  { mimeType: "image/heic", signature: /^[^]{4}ftyp(?:hei[cxms]|hev[cx]|mif1|msf1)/, read: heicHeader },
  { mimeType: "image/tiff", signature: /^(?:II\*\0|MM\0\*)/, read: tiffHeader },
];

/** A frame begins with one of C0 to CF; three of these mean something else. */
const startsFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function jpegHeader(bytes: Buffer): ImageHeader | null {
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) at += 1;
    else if (startsFrame(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

function webpHeader(bytes: Buffer): ImageHeader | null {
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case "VP8L": {
      const packed = bytes.readUInt32LE(21);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case "VP8 ":
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return null;
  }
}

const tags = { width: 256, height: 257, orientation: 274 } as const;
const short = 3;
const mostEntries = 1_000;

interface TiffDirectory {
  readonly values: ReadonlyMap<number, number>;
  /** Where the next one lies; 0: there is none. */
  readonly next: number;
}

/** Cameras write what they say of a picture as a TIFF writes what it says of a page. */
function tiffDirectory(bytes: Buffer, at?: number): TiffDirectory {
  const isLittle = bytes[0] === 0x49;
  const word = (from: number): number => (isLittle ? bytes.readUInt16LE(from) : bytes.readUInt16BE(from));
  const long = (from: number): number => (isLittle ? bytes.readUInt32LE(from) : bytes.readUInt32BE(from));
  const directory = at ?? long(4);
  const count = Math.min(word(directory), mostEntries);
  const values = new Map<number, number>();
  for (let entry = directory + 2, left = count; left > 0; entry += 12, left -= 1)
    values.set(word(entry), word(entry + 2) === short ? word(entry + 8) : long(entry + 8));
  const next = directory + 2 + count * 12;
  return { values, next: next + 4 <= bytes.length ? long(next) : 0 };
}

const sizeOf = ({ values }: TiffDirectory): ImageHeader | null => {
  const [width, height] = [values.get(tags.width), values.get(tags.height)];
  return width === undefined || height === undefined ? null : { width, height };
};

function tiffHeader(bytes: Buffer): ImageHeader | null {
  return sizeOf(tiffDirectory(bytes));
}

/** The sizes of the first pages of a TIFF, without those that have no image. */
export function tiffDirectories(bytes: Buffer, most: number): readonly ImageHeader[] {
  const pages: ImageHeader[] = [];
  try {
    const seen = new Set<number>();
    for (let at: number | undefined; at !== 0 && pages.length < most && !seen.has(at ?? -1);) {
      seen.add(at ?? -1);
      const directory = tiffDirectory(bytes, at);
      const size = sizeOf(directory);
      if (size !== null) pages.push(size);
      at = directory.next;
    }
  } catch {
    // It ends within a directory: what is before it is there.
  }
  return pages;
}

/** How a picture is turned, as its camera says: 1 to 8; 1 where it says nothing. */
export function exifOrientation(bytes: Buffer): number {
  const at = bytes.subarray(0, examinedBytes).indexOf("Exif\0\0");
  if (at < 0) return 1;
  try {
    const said = tiffDirectory(bytes.subarray(at + 6)).values.get(tags.orientation) ?? 1;
    return said >= 1 && said <= 8 ? said : 1;
  } catch {
    return 1;
  }
}

/** What a camera says stands before the picture. */
const examinedBytes = 131_072;

/** The largest size that is named: a picture is made of tiles, and has smaller ones beside it. */
function heicHeader(bytes: Buffer): ImageHeader | null {
  const start = bytes.subarray(0, examinedBytes);
  let largest: ImageHeader | null = null;
  for (let at = start.indexOf("ispe"); at >= 0 && at + 16 <= start.length; at = start.indexOf("ispe", at + 4)) {
    const [width, height] = [start.readUInt32BE(at + 8), start.readUInt32BE(at + 12)];
    if (largest === null || width * height > largest.width * largest.height) largest = { width, height };
  }
  return largest;
}
