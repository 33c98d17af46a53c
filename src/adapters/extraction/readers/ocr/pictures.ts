import { createCanvas, loadImage } from "@napi-rs/canvas";
import { exifOrientation, imageHeader, tiffDirectories, type ImageHeader } from "./imageHeader.js";
import { UnreadableFile } from "../reader.js";

/** A picture that the recognizer decodes itself. */
export interface Picture {
  /** A PNG, a JPEG, or a PGM, in shades of gray. */
  readonly file: Uint8Array;
  /** How it is turned, as EXIF says it: 1 to 8. */
  readonly orientation: number;
  readonly size: ImageHeader;
}

/** An image of more takes too much memory, however few bytes it has. */
const mostMegapixels = 50;

/** Larger files of pages are no scan that anybody would wait for. */
const mostPictures = 1_000;

/** How many pictures there are in a file. */
export const countPictures = (bytes: Buffer, mimeType: string): number =>
  mimeType === "image/tiff" ? tiffDirectories(bytes, mostPictures).length : 1;

/**
 * The pictures in a file: every page of a TIFF, and one of anything else. They are decoded one after the other.
 *
 * @throws UnreadableFile where one is too large, or damaged.
 */
export async function* picturesIn(bytes: Buffer, mimeType: string): AsyncGenerator<Picture> {
  if (mimeType === "image/tiff") yield* pagesOfTiff(bytes);
  else {
    const size = checkedSize(imageHeader(bytes));
    const orientation = exifOrientation(bytes);
    const isRead = decodedByRecognizer.has(mimeType) && size.width * size.height <= mostPixels;
    if (isRead) yield { file: bytes, orientation, size };
    // The library turns what it decodes.
    else if (mimeType === "image/heic") yield pictureOf(await heicPixels(bytes), 1);
    else yield pictureOf(await canvasPixels(bytes), orientation);
  }
}

const decodedByRecognizer: ReadonlySet<string> = new Set(["image/png", "image/jpeg"]);

/** By what the head of the file says, before anything is decoded. */
function checkedSize(header: ImageHeader | null): ImageHeader {
  if (header === null) throw new UnreadableFile("The image is damaged.");
  if (header.width * header.height <= mostMegapixels * 1e6) return header;
  throw new UnreadableFile(`The image has more than ${mostMegapixels} million pixels.`);
}

async function* pagesOfTiff(bytes: Buffer): AsyncGenerator<Picture> {
  for (const page of tiffDirectories(bytes, mostPictures)) checkedSize(page);
  const { default: tiff } = await import("utif2");
  for (const page of tiff.decode(bytes).slice(0, mostPictures)) {
    // A directory without an image, as some cameras write.
    if (page["t256"] === undefined || page["t257"] === undefined) continue;
    tiff.decodeImage(bytes, page);
    const pixels = { width: page.width, height: page.height, data: tiff.toRGBA8(page) };
    // What was decoded of a page is not needed for the next one.
    page.data = new Uint8Array();
    yield pictureOf(pixels, orientationOf(page["t274"]));
  }
}

const orientationOf = (said: unknown): number => {
  const [orientation] = Array.isArray(said) ? (said as readonly unknown[]) : [];
  return typeof orientation === "number" && orientation >= 1 && orientation <= 8 ? orientation : 1;
};

/** What is painted, four bytes a pixel. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint8ClampedArray;
}

async function heicPixels(bytes: Buffer): Promise<Pixels> {
  const { default: decode } = await import("heic-decode");
  return decode({ buffer: bytes });
}

async function canvasPixels(bytes: Buffer): Promise<Pixels> {
  const image = await loadImage(bytes);
  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

/** A page of A4 in 300 dpi, with a little more. What has more is recognized no better, and takes longer. */
const mostPixels = 10e6;

/** As a PGM, in shades of gray, made smaller where it is larger than is of use. */
export function pictureOf(pixels: Pixels, orientation: number): Picture {
  const scale = Math.min(1, Math.sqrt(mostPixels / (pixels.width * pixels.height)));
  const [width, height] = [Math.ceil(pixels.width * scale), Math.ceil(pixels.height * scale)];
  const head = Buffer.from(`P5\n${width} ${height}\n255\n`);
  const image = Buffer.alloc(head.length + width * height);
  head.copy(image);
  let at = head.length;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 1)
      image[at] = scale === 1 ? grayAt(pixels, x, y) : meanGray(pixels, x, y, scale);
  return { file: image, orientation, size: { width, height } };
}

/** What is transparent is white, as it is on paper. */
function grayAt({ width, data }: Pixels, x: number, y: number): number {
  const at = (y * width + x) * 4;
  const gray = ((data[at] ?? 0) * 77 + (data[at + 1] ?? 0) * 151 + (data[at + 2] ?? 0) * 28) >> 8;
  const alpha = data[at + 3] ?? 255;
  return alpha === 255 ? gray : 255 - (((255 - gray) * alpha) >> 8);
}

/** The mean of the pixels that one of a smaller image stands for: text keeps its thin strokes. */
function meanGray(pixels: Pixels, x: number, y: number, scale: number): number {
  const [left, top] = [Math.floor(x / scale), Math.floor(y / scale)];
  const right = Math.max(left + 1, Math.min(pixels.width, Math.floor((x + 1) / scale)));
  const bottom = Math.max(top + 1, Math.min(pixels.height, Math.floor((y + 1) / scale)));
  let sum = 0;
  for (let row = top; row < bottom; row += 1)
    for (let column = left; column < right; column += 1) sum += grayAt(pixels, column, row);
  return sum / ((right - left) * (bottom - top));
}
