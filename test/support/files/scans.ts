import { deflateSync } from "node:zlib";
import { createCanvas, GlobalFonts } from "@napi-rs/canvas";

/** The first font of the system that is known to draw Latin letters: one of symbols draws boxes. */
const font = GlobalFonts.families.find(({ family }) => /^(DejaVu|Liberation|Noto) Serif\b|^Times\b/.test(family));

/** Without such a font, no text can be drawn. */
export const hasFonts = font !== undefined;

export const letter = [
  "Sehr geehrte Frau Müller, die Geschäftsführung",
  "berichtet über das abgelaufene Jahr. Größere Än-",
  "derungen gab es im Lager: Zwölf Häuser wurden",
  "bezogen, und 340 Personen arbeiten jetzt dort.",
];

/** As one text. */
export const letterText = letter.join("\n").replace("-\n", "");

/**
 * As a page of A4 in 150 dpi would show it, in 11 points, turned to the right by so many degrees, and so much finer.
 */
export function scanned(
  lines: readonly string[],
  format: "image/png" | "image/jpeg" | "image/webp",
  degrees = 0,
  finer = 1,
): Buffer {
  const [width, height] = [700 * finer, (60 + lines.length * 34) * finer];
  const isOnItsSide = degrees % 180 !== 0;
  const canvas = createCanvas(isOnItsSide ? height : width, isOnItsSide ? width : height);
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(canvas.width / 2, canvas.height / 2);
  context.rotate((degrees * Math.PI) / 180);
  context.translate(-width / 2, -height / 2);
  context.scale(finer, finer);
  context.fillStyle = "black";
  context.font = `23px "${font?.family ?? "serif"}"`;
  lines.forEach((line, at) => context.fillText(line, 40, 60 + at * 34));
  if (format === "image/png") return canvas.toBuffer(format);
  return canvas.toBuffer(format, 90);
}

/** Pixels of an image, one byte each, in shades of gray. */
export interface GrayImage {
  readonly width: number;
  readonly height: number;
  readonly gray: Buffer;
}

/** The same as pixels. */
export function drawn(lines: readonly string[]): GrayImage {
  const canvas = createCanvas(700, 60 + lines.length * 34);
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = "black";
  context.font = `23px "${font?.family ?? "serif"}"`;
  lines.forEach((line, at) => context.fillText(line, 40, 60 + at * 34));
  const { width, height, data } = context.getImageData(0, 0, canvas.width, canvas.height);
  return { width, height, gray: Buffer.from(data.filter((_, at) => at % 4 === 0)) };
}

/** A JPEG with what a camera says of how it was held. */
export function turnedByExif(jpeg: Buffer, orientation: number): Buffer {
  const said = Buffer.alloc(36);
  said.write("Exif\0\0MM\0*", "latin1");
  said.writeUInt32BE(8, 10);
  said.writeUInt16BE(1, 14);
  said.writeUInt16BE(274, 16);
  said.writeUInt16BE(3, 18);
  said.writeUInt32BE(1, 20);
  said.writeUInt16BE(orientation, 24);
  const head = Buffer.from([0xff, 0xe1, 0, said.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, said, jpeg.subarray(2)]);
}

/** A TIFF of these pages, the first packed with Deflate and the others not at all. */
export function tiff(pages: readonly GrayImage[]): Buffer {
  const parts: Buffer[] = [Buffer.from("II*\0\0\0\0\0", "latin1")];
  let at = 8;
  let link = 4;
  pages.forEach(({ width, height, gray }, page) => {
    const packed = page === 0 ? deflateSync(gray) : gray;
    const entries: readonly (readonly [number, number])[] = [
      [256, width],
      [257, height],
      [258, 8],
      [259, page === 0 ? 8 : 1],
      [262, 1],
      [273, at],
      [277, 1],
      [278, height],
      [279, packed.length],
    ];
    const directory = Buffer.alloc(2 + entries.length * 12 + 4);
    directory.writeUInt16LE(entries.length, 0);
    entries.forEach(([tag, value], index) => {
      directory.writeUInt16LE(tag, 2 + index * 12);
      directory.writeUInt16LE(4, 4 + index * 12);
      directory.writeUInt32LE(1, 6 + index * 12);
      directory.writeUInt32LE(value, 10 + index * 12);
    });
    const padding = Buffer.alloc(packed.length % 2);
    const file = Buffer.concat(parts);
    file.writeUInt32LE(at + packed.length + padding.length, link);
    parts.splice(0, parts.length, file, packed, padding, directory);
    link = at + packed.length + padding.length + directory.length - 4;
    at = link + 4;
  });
  return Buffer.concat(parts);
}

/** A BMP of eight bits a pixel, its rows from the bottom up. */
export function bitmap({ width, height, gray }: GrayImage): Buffer {
  const head = Buffer.alloc(54 + 1_024);
  head.write("BM");
  head.writeUInt32LE(head.length, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(8, 28);
  for (let shade = 0; shade < 256; shade += 1) head.fill(shade, 54 + shade * 4, 57 + shade * 4);
  const stride = Math.ceil(width / 4) * 4;
  const rows = Array.from({ length: height }, (_, row) => {
    const from = (height - 1 - row) * width;
    return Buffer.concat([gray.subarray(from, from + width), Buffer.alloc(stride - width)]);
  });
  const file = Buffer.concat([head, ...rows]);
  file.writeUInt32LE(file.length, 2);
  return file;
}
