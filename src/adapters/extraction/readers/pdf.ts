import { joinBrokenWords, joinLines } from "./hyphenation.js";
import { annotationLines, annotationsOf, type Annotation } from "./pdf/annotations.js";
import { attachmentsOf, type Attachment } from "./pdf/attachments.js";
import { factsOf } from "./pdf/facts.js";
import { formLines } from "./pdf/formText.js";
import { glyphsOf, type Glyph } from "./pdf/glyphs.js";
import { linesOf, type Line } from "./pdf/lines.js";
import { openPdf, type OpenPdf } from "./pdf/openPdf.js";
import type { Recognized } from "./pdf/scannedPages.js";
import { hasReadableCharacters, hasSomeReadableCharacters, hasWords, withoutControls } from "./plausibleText.js";
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

/**
 * Reads the text layer of a PDF, page by page, with fields and notes after each. In a page without any text, or with
 * one that nobody can read, text is recognized where that is wanted. Files in it are its parts.
 */
export const pdf: Reader = {
  async read({ bytes }, context): Promise<FileText> {
    const opened = await openPdf(bytes, "reading");
    try {
      const facts = await factsOf(opened.document);
      const pages = await readPages(opened, context.maxCharacters);
      const annotations = await annotationsOf(opened.document, (number) => (pages[number - 1] ?? null) !== null);
      const layer = pages.map((page, at) => (page === null ? noText : textOf(page, annotations.get(at + 1) ?? [])));
      const recognized = await recognize(bytes, layer, context.ocr);
      const texts = layer.map(({ text }, at) => recognized.texts.get(at + 1) ?? text);
      const attachments = await attachmentsOf(opened.document, [...annotations.values()].flat());
      const isComplete = !pages.includes(null) && pages.length === opened.document.numPages;
      return {
        text: joinBrokenWords(texts.filter((page) => page !== "").join("\n")),
        facts: {
          ...facts,
          ...(recognized.texts.size > 0 ? { ocrUsed: true } : {}),
          ...(recognized.left > 0 ? { unrecognizedPages: recognized.left } : {}),
          ...(isComplete ? {} : { truncated: true }),
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

/** What a page says by itself, and what is drawn for its annotations. */
interface PageText {
  readonly lines: readonly Line[];
  readonly ofAnnotations: ReadonlyMap<string, readonly Glyph[]>;
}

/** From the first page on; null where a page is damaged. */
async function readPages(opened: OpenPdf, maxCharacters: number): Promise<readonly (PageText | null)[]> {
  const pages: (PageText | null)[] = [];
  let characters = 0;
  let damagedInARow = 0;
  while (pages.length < opened.document.numPages && characters <= maxCharacters && damagedInARow < mostDamagedInARow) {
    const page = await readPage(opened, pages.length + 1);
    pages.push(page);
    characters += lengthOf(page?.lines ?? []);
    damagedInARow = page === null ? damagedInARow + 1 : 0;
  }
  if (pages.every((page) => page === null)) throw new UnreadableFile("The PDF is damaged.");
  return pages;
}

async function readPage({ document, instructions }: OpenPdf, number: number): Promise<PageText | null> {
  try {
    const page = await document.getPage(number);
    if (document.isPureXfa) return { lines: await formLines(page), ofAnnotations: new Map() };
    const { ofPage, ofAnnotations } = await glyphsOf(page, instructions);
    page.cleanup();
    return { lines: linesOf(ofPage), ofAnnotations };
  } catch {
    return null;
  }
}

/** What can be read of a page. */
interface LayerText {
  readonly text: string;
  /** Nothing, or less than what cannot be read. */
  readonly isPoor: boolean;
}

const noText: LayerText = { text: "", isPoor: true };

/**
 * Words are asked for only where a font does not tell its characters: what everybody can read need not be prose. What
 * nobody can read is left out line by line only where much of the page is that: elsewhere a strange sign may say
 * something to somebody.
 */
function textOf({ lines, ofAnnotations }: PageText, annotations: readonly Annotation[]): LayerText {
  const all = [...lines, ...annotationLines(annotations, ofAnnotations)];
  const guessed = new Set(all.filter(({ text, unmapped }) => unmapped > text.length / 2));
  const told = hasWords(joined([...guessed])) ? all : all.filter((line) => !guessed.has(line));
  const readable = hasReadableCharacters(joined(told)) ? told : readableOf(told);
  return {
    text: joinLines(readable.map(({ text }) => text)),
    isPoor: lengthOf(readable) <= lengthOf(all) / 2,
  };
}

/** Some fonts have their spaces alone where no character is. */
function readableOf(lines: readonly Line[]): readonly Line[] {
  const readable = lines
    .filter(({ text }) => hasSomeReadableCharacters(text))
    .map((line) => ({ ...line, text: withoutControls(line.text) }));
  return hasWords(joined(readable)) ? readable : [];
}

const lengthOf = (lines: readonly Line[]): number => lines.reduce((sum, { text }) => sum + text.length, 0);

const joined = (lines: readonly Line[]): string => lines.map(({ text }) => text).join("\n");

async function recognize(bytes: Buffer, layer: readonly LayerText[], ocr: OcrTerms | null): Promise<Recognized> {
  const poor = layer.flatMap(({ isPoor }, at) => (isPoor ? [at + 1] : []));
  if (ocr === null || poor.length === 0) return { texts: new Map(), left: 0 };
  const { recognizePages } = await import("./pdf/scannedPages.js");
  const { document } = await openPdf(bytes, "painting");
  try {
    return await recognizePages(document, poor, ocr);
  } finally {
    await document.loadingTask.destroy();
  }
}
