import { createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
import { joinLines } from "../hyphenation.js";
import { TextRecognizer } from "../ocr/textRecognizer.js";
import { hasWords } from "../plausibleText.js";
import type { OcrTerms } from "../reader.js";

/** Finer ones are recognized no better, and take longer. */
const dpi = 200;

/** A page of A3 in this resolution. */
const mostPixels = 8e6;

const pointsPerInch = 72;
/** How much longer a page may take than the slowest so far. */
const allowance = 1.5;

/** What was recognized: texts by the numbers of their pages, and whether there was time for all of them. */
export interface Recognized {
  readonly texts: ReadonlyMap<number, string>;
  readonly isComplete: boolean;
}

/** Paints pages and recognizes the text in them, one after the other, for as long as there is time. */
export async function recognizePages(
  document: PDFDocumentProxy,
  numbers: readonly number[],
  { languages, untilMs }: OcrTerms,
): Promise<Recognized> {
  const texts = new Map<number, string>();
  let isComplete = true;
  let slowestMs = 0;
  const recognizer = await TextRecognizer.open(languages);
  try {
    for (const number of numbers) {
      const startedAt = performance.now();
      if (startedAt + slowestMs * allowance > untilMs) return { texts, isComplete: false };
      const text = await recognizePage(document, number, recognizer);
      if (text === null) isComplete = false;
      else if (text !== "") texts.set(number, text);
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    }
    return { texts, isComplete };
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
    const text = recognizer.recognize(image, { dpi });
    return text !== null && hasWords(text) ? joinLines(text.split("\n")) : "";
  } catch {
    return null;
  }
}

/** The page as a PGM, in shades of gray; null where nothing is on it. */
async function painted(page: PDFPageProxy): Promise<Buffer | null> {
  const { width, height } = page.getViewport({ scale: 1 });
  const scale = Math.min(dpi / pointsPerInch, Math.sqrt(mostPixels / (width * height)));
  const viewport = page.getViewport({ scale });
  const canvas = createCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height));
  const context = canvas.getContext("2d");
  await page.render({ canvas: null, canvasContext: asInBrowser(context), viewport, background: "white" }).promise;
  return asPgm(context.getImageData(0, 0, canvas.width, canvas.height));
}

/** The library's types know the canvas of browsers, which this one stands in for. */
const asInBrowser = (context: SKRSContext2D): never => context as never;

/** What is painted is opaque. */
function asPgm({ width, height, data }: ReturnType<SKRSContext2D["getImageData"]>): Buffer | null {
  const head = Buffer.from(`P5\n${width} ${height}\n255\n`);
  const image = Buffer.alloc(head.length + width * height);
  head.copy(image);
  let [darkest, lightest] = [255, 0];
  for (let from = 0, to = head.length; to < image.length; from += 4, to += 1) {
    const gray = ((data[from] ?? 0) * 77 + (data[from + 1] ?? 0) * 151 + (data[from + 2] ?? 0) * 28) >> 8;
    image[to] = gray;
    if (gray < darkest) darkest = gray;
    if (gray > lightest) lightest = gray;
  }
  return darkest === lightest ? null : image;
}
