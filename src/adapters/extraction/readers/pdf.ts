import type { PDFPageProxy } from "pdfjs-dist";
import { joinBrokenWords, joinLines } from "./hyphenation.js";
import { annotationLines, annotationsOf, type Annotation } from "./pdf/annotations.js";
import { attachmentsOf, type Attachment } from "./pdf/attachments.js";
import { factsOf } from "./pdf/facts.js";
import { formLines } from "./pdf/formText.js";
import { glyphsOf } from "./pdf/glyphs.js";
import { linesOf, type Line } from "./pdf/lines.js";
import { openPdf, type OpenPdf } from "./pdf/openPdf.js";
import type { Recognized } from "./pdf/scannedPages.js";
import { hasReadableCharacters, hasWords } from "./plausibleText.js";
import {
  UnreadableFile,
  type FileText,
  type InnerFile,
  type OcrTerms,
  type Reader,
  type ReadingContext,
} from "./reader.js";

/** A damaged file may claim any number of pages. */
const mostDamagedInARow = 20;

/** What reading page after page came to. */
interface Pages {
  /** From the first page on; empty where a page has no text. */
  readonly texts: readonly string[];
  /** All pages that there are, and none of them damaged. */
  readonly isComplete: boolean;
  /** Notes that hold files. */
  readonly withFiles: readonly Annotation[];
}

/**
 * Reads the text layer of a PDF, page by page, with fields and notes after each. In a page without any text, or with
 * one that nobody can read, text is recognized where that is wanted. Files in it are its parts.
 */
export const pdf: Reader = {
  async read({ bytes }, context): Promise<FileText> {
    const opened = await openPdf(bytes, "reading");
    try {
      const facts = await factsOf(opened.document);
      const layer = await readPages(opened, context.maxCharacters);
      const recognized = await recognize(bytes, layer.texts, context.ocr);
      const texts = layer.texts.map((text, at) => recognized.texts.get(at + 1) ?? text);
      const attachments = await attachmentsOf(opened.document, layer.withFiles);
      return {
        text: joinBrokenWords(texts.filter((page) => page !== "").join("\n")),
        facts: {
          ...facts,
          ...(recognized.texts.size > 0 ? { ocrUsed: true } : {}),
          ...(layer.isComplete && recognized.isComplete ? {} : { truncated: true }),
        },
        parts: attachments.map((attachment) => partOf(attachment, context)),
      };
    } finally {
      await opened.document.loadingTask.destroy();
    }
  },
};

const partOf = ({ name, bytes }: Attachment, context: ReadingContext): InnerFile => ({
  name,
  declaredMimeType: null,
  open() {
    context.unpacked(bytes.length);
    return bytes;
  },
});

async function readPages(opened: OpenPdf, maxCharacters: number): Promise<Pages> {
  const texts: string[] = [];
  const withFiles: Annotation[] = [];
  const { numPages } = opened.document;
  let characters = 0;
  let damaged = 0;
  let damagedInARow = 0;
  for (let number = 1; number <= numPages; number += 1) {
    const page = await readPage(opened, number);
    texts.push(page?.text ?? "");
    withFiles.push(...(page?.withFiles ?? []));
    characters += page?.text.length ?? 0;
    damagedInARow = page === null ? damagedInARow + 1 : 0;
    if (page === null) damaged += 1;
    if (characters > maxCharacters || damagedInARow >= mostDamagedInARow) break;
  }
  if (damaged === texts.length) throw new UnreadableFile("The PDF is damaged.");
  return { texts, isComplete: damaged === 0 && texts.length === numPages, withFiles };
}

interface PageText {
  readonly text: string;
  readonly withFiles: readonly Annotation[];
}

/** null where the page is damaged. */
async function readPage(opened: OpenPdf, number: number): Promise<PageText | null> {
  try {
    const page = await opened.document.getPage(number);
    const read = opened.document.isPureXfa
      ? { text: joinLines(await formLines(page)), withFiles: [] }
      : await readDrawn(page, opened);
    page.cleanup();
    return read;
  } catch {
    return null;
  }
}

async function readDrawn(page: PDFPageProxy, { instructions }: OpenPdf): Promise<PageText> {
  const drawn = await glyphsOf(page, instructions);
  const annotations = await annotationsOf(page);
  const lines = [...linesOf(drawn.ofPage), ...annotationLines(annotations, drawn.ofAnnotations)];
  return {
    text: isReadable(lines) ? joinLines(lines.map(({ text }) => text)) : "",
    withFiles: annotations.filter(({ file }) => file !== undefined),
  };
}

/** Words are asked for only where a font does not tell its characters: what everybody can read need not be prose. */
function isReadable(lines: readonly Line[]): boolean {
  const guessed = lines.filter(({ text, unmapped }) => unmapped > text.length / 2);
  const length = (some: readonly Line[]): number => some.reduce((sum, { text }) => sum + text.length, 0);
  if (length(guessed) > length(lines) / 2 && !hasWords(textOf(guessed))) return false;
  return hasReadableCharacters(textOf(lines));
}

const textOf = (lines: readonly Line[]): string => lines.map(({ text }) => text).join("\n");

async function recognize(bytes: Buffer, texts: readonly string[], ocr: OcrTerms | null): Promise<Recognized> {
  const without = texts.flatMap((text, at) => (text === "" ? [at + 1] : []));
  if (ocr === null || without.length === 0) return { texts: new Map(), isComplete: true };
  const { recognizePages } = await import("./pdf/scannedPages.js");
  const { document } = await openPdf(bytes, "painting");
  try {
    return await recognizePages(document, without, ocr);
  } finally {
    await document.loadingTask.destroy();
  }
}
