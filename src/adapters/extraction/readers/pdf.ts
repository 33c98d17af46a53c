import type { PDFDocumentProxy } from "pdfjs-dist";
import { joinBrokenWords } from "./pdf/hyphenation.js";
import { openPdf } from "./pdf/openPdf.js";
import { cleanLines, linesOf } from "./pdf/pageText.js";
import { factsOf } from "./pdf/pdfFacts.js";
import { isPlausibleText } from "./pdf/plausibleText.js";
import { UnreadableFile, type FileText, type Reader } from "./reader.js";

/** A damaged file may claim any number of pages. */
const mostDamagedInARow = 20;

/** What reading page after page came to. */
interface Pages {
  readonly texts: readonly string[];
  /** Some pages could not be read, or were too many. */
  readonly incomplete: boolean;
}

/** Reads the text layer of a PDF, page by page. A page without one, or with one that nobody can read, has no text. */
export const pdf: Reader = {
  async read({ bytes }, { maxCharacters }): Promise<FileText> {
    const document = await openPdf(bytes);
    try {
      const facts = await factsOf(document);
      const { texts, incomplete } = await readPages(document, maxCharacters);
      const text = joinBrokenWords(texts.filter((page) => page !== "").join("\n"));
      return { text, facts: incomplete ? { ...facts, truncated: true } : facts };
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
  return { texts, incomplete: damaged > 0 || texts.length < document.numPages };
}

/** null where the page is damaged. */
async function pageText(document: PDFDocumentProxy, number: number, maxCharacters: number): Promise<string | null> {
  try {
    const page = await document.getPage(number);
    const lines = await linesOf(page, maxCharacters);
    page.cleanup();
    return isPlausibleText(lines.join("\n")) ? cleanLines(lines) : "";
  } catch {
    return null;
  }
}
