/** What the head of an image says of it. */
export interface ImageHeader {
  readonly width: number;
  readonly height: number;
}

/** The size of a PNG, JPEG, GIF, WebP, BMP or TIFF, without decoding it; null where it is none, or damaged. */
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

const widthTag = 256;
const heightTag = 257;
const short = 3;

function tiffHeader(bytes: Buffer): ImageHeader | null {
  const isLittle = bytes[0] === 0x49;
  const word = (at: number): number => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const long = (at: number): number => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const directory = long(4);
  const found = new Map<number, number>();
  for (let entry = directory + 2, left = word(directory); left > 0; entry += 12, left -= 1)
    found.set(word(entry), word(entry + 2) === short ? word(entry + 8) : long(entry + 8));
  const [width, height] = [found.get(widthTag), found.get(heightTag)];
  return width === undefined || height === undefined ? null : { width, height };
}
