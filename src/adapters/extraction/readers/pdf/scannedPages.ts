import { createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
import { joinLines } from "../hyphenation.js";
import { inTime } from "../ocr/inTime.js";
import { pictureOf, type Picture } from "../ocr/pictures.js";
import { TextRecognizer } from "../ocr/textRecognizer.js";
import { hasWords } from "../plausibleText.js";
import type { OcrTerms } from "../reader.js";

/** Finer ones are recognized no better, and take longer. */
const dpi = 200;

/** A page of A3 in this resolution. */
const mostPixels = 8e6;

const pointsPerInch = 72;

/** What was recognized: texts by the numbers of their pages, and of how many pages nothing was, for want of time. */
export interface Recognized {
  readonly texts: ReadonlyMap<number, string>;
  readonly left: number;
}

/** Paints pages and recognizes the text in them, one after the other, for as long as there is time. */
export async function recognizePages(
  document: PDFDocumentProxy,
  numbers: readonly number[],
  { languages, untilMs }: OcrTerms,
): Promise<Recognized> {
  const texts = new Map<number, string>();
  let left = numbers.length;
  const recognizer = await TextRecognizer.open(languages);
  try {
    for await (const number of inTime(numbers, untilMs)) {
      const text = await recognizePage(document, number, recognizer);
      if (text !== null) left -= 1;
      if (text !== null && text !== "") texts.set(number, text);
    }
    return { texts, left };
  } finally {
    recognizer.close();
  }
}

/** null where the page cannot be painted. */
async function recognizePage(
  document: PDFDocumentProxy,
  number: number,
  recognizer: TextRecognizer,
): Promise<string | null> {
  try {
    const page = await document.getPage(number);
    const image = await painted(page);
    page.cleanup();
    if (image === null) return "";
    const text = recognizer.recognize(image.file, { dpi, size: image.size });
    return text !== null && hasWords(text) ? joinLines(text.split("\n")) : "";
  } catch {
    return null;
  }
}

/** null where nothing is on the page. */
async function painted(page: PDFPageProxy): Promise<Picture | null> {
  const { width, height } = page.getViewport({ scale: 1 });
  const scale = Math.min(dpi / pointsPerInch, Math.sqrt(mostPixels / (width * height)));
  const viewport = page.getViewport({ scale });
  const canvas = createCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height));
  const context = canvas.getContext("2d");
  await page.render({ canvas: null, canvasContext: asInBrowser(context), viewport, background: "white" }).promise;
  const picture = pictureOf(context.getImageData(0, 0, canvas.width, canvas.height), 1);
  return isBlank(picture) ? null : picture;
}

/** Its pixels are all of one shade. They are the last bytes of its file. */
function isBlank({ file, size }: Picture): boolean {
  const pixels = file.subarray(file.length - size.width * size.height);
  return pixels.every((shade) => shade === pixels[0]);
}

/** The library's types know the canvas of browsers, which this one stands in for. */
const asInBrowser = (context: SKRSContext2D): never => context as never;
