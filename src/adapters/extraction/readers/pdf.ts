import type { PDFDocumentProxy } from "pdfjs-dist";
import { joinBrokenWords } from "./hyphenation.js";
import { joinLines } from "./lines.js";
import { openPdf } from "./pdf/openPdf.js";
import { linesOf } from "./pdf/pageText.js";
import { factsOf } from "./pdf/pdfFacts.js";
import type { Recognized } from "./pdf/scannedPages.js";
import { isPlausibleText } from "./plausibleText.js";
import { UnreadableFile, type FileText, type OcrTerms, type Reader } from "./reader.js";

/** A damaged file may claim any number of pages. */
const mostDamagedInARow = 20;

/** What reading page after page came to. */
interface Pages {
  /** From the first page on; empty where a page has no text. */
  readonly texts: readonly string[];
  /** All pages that there are, and none of them damaged. */
  readonly isComplete: boolean;
}

/**
 * Reads the text layer of a PDF, page by page. In a page without one, or with one that nobody can read, text is
 * recognized where that is wanted.
 */
export const pdf: Reader = {
  async read({ bytes }, { maxCharacters, ocr }): Promise<FileText> {
    const document = await openPdf(bytes);
    try {
      const facts = await factsOf(document);
      const layer = await readPages(document, maxCharacters);
      const recognized = await recognize(document, layer.texts, ocr);
      const texts = layer.texts.map((text, at) => recognized.texts.get(at + 1) ?? text);
      return {
        text: joinBrokenWords(texts.filter((page) => page !== "").join("\n")),
        facts: {
          ...facts,
          ...(recognized.texts.size > 0 ? { ocrUsed: true } : {}),
          ...(layer.isComplete && recognized.isComplete ? {} : { truncated: true }),
        },
      };
    } finally {
      await document.loadingTask.destroy();
    }
  },
};

async function readPages(document: PDFDocumentProxy, maxCharacters: number): Promise<Pages> {
  const texts: string[] = [];
  let characters = 0;
  let damaged = 0;
  let damagedInARow = 0;
  for (let number = 1; number <= document.numPages; number += 1) {
    const text = await pageText(document, number, maxCharacters - characters);
    texts.push(text ?? "");
    characters += text?.length ?? 0;
    damagedInARow = text === null ? damagedInARow + 1 : 0;
    if (text === null) damaged += 1;
    if (characters > maxCharacters || damagedInARow >= mostDamagedInARow) break;
  }
  if (damaged === texts.length) throw new UnreadableFile("The PDF is damaged.");
  return { texts, isComplete: damaged === 0 && texts.length === document.numPages };
}

/** null where the page is damaged. */
async function pageText(document: PDFDocumentProxy, number: number, maxCharacters: number): Promise<string | null> {
  try {
    const page = await document.getPage(number);
    const lines = await linesOf(page, maxCharacters);
    page.cleanup();
    return isPlausibleText(lines.join("\n")) ? joinLines(lines) : "";
  } catch {
    return null;
  }
}

async function recognize(
  document: PDFDocumentProxy,
  texts: readonly string[],
  ocr: OcrTerms | null,
): Promise<Recognized> {
  const without = texts.flatMap((text, at) => (text === "" ? [at + 1] : []));
  if (ocr === null || without.length === 0) return { texts: new Map(), isComplete: true };
  const { recognizePages } = await import("./pdf/scannedPages.js");
  return recognizePages(document, without, ocr);
}
