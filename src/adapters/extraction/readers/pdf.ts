import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
import { fileURLToPath } from "node:url";
import type { ReadableStream } from "node:stream/web";
import { joinBrokenWords, joinLines } from "./hyphenation.js";
import type { Recognized } from "./pdf/scannedPages.js";
import { isPlausibleText } from "./plausibleText.js";
import { EncryptedFile, UnreadableFile, type FileText, type OcrTerms, type Reader } from "./reader.js";
import { instantOf, languageCode, oneLine } from "./factValues.js";

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

const folderInPackage = (name: string): string => fileURLToPath(import.meta.resolve(`pdfjs-dist/${name}/`));

/** Larger images are not painted, and so not decoded. */
const mostPixelsOfImage = 50_000_000;

/** The library reports errors alone: what is odd in a file is no news to the operator. */
const onlyErrors = 0;

/** The library replaces these by its own, for the whole process, which take many times as long. */
const { parse, stringify } = JSON;

const { push } = Array.prototype;
const { toString } = Function.prototype;

/**
 * Loads the library where a PDF is read first: it takes a quarter of a second. In Node it works in this thread, not in
 * one of its own, and finds its worker where that has been loaded.
 */
async function loadLibrary() {
  const library = await import("pdfjs-dist/legacy/build/pdf.mjs");
  await import(import.meta.resolve("pdfjs-dist/legacy/build/pdf.worker.mjs"));
  Object.assign(JSON, { parse, stringify });
  Object.assign(Array.prototype, { push });
  Object.assign(Function.prototype, { toString });
  return library;
}

/**
 * Opens a PDF, with the empty password where it is encrypted: a file that is only protected from changes opens with it.
 * Nothing is fetched, no code of the file is run, and no image is decoded before a page is painted. The caller destroys
 * its loading task.
 *
 * @throws UnreadableFile where it takes a password, or is no PDF that anybody could open.
 */
async function openPdf(bytes: Buffer): Promise<PDFDocumentProxy> {
  const { getDocument } = await loadLibrary();
  const task = getDocument({
    // The library takes what it is given for itself.
    data: new Uint8Array(bytes),
    cMapUrl: folderInPackage("cmaps"),
    standardFontDataUrl: folderInPackage("standard_fonts"),
    wasmUrl: folderInPackage("wasm"),
    maxImageSize: mostPixelsOfImage,
    isEvalSupported: false,
    useSystemFonts: false,
    verbosity: onlyErrors,
  });
  try {
    return await task.promise;
  } catch (error) {
    await task.destroy();
    throw whyUnreadable(error);
  }
}

function whyUnreadable(error: unknown): Error {
  const name = error instanceof Error ? error.name : "";
  if (name === "PasswordException") return new EncryptedFile("The PDF is encrypted.");
  return new UnreadableFile("The PDF is damaged.", { cause: error });
}

/** A part of what is drawn. */
interface TextChunk {
  readonly items: readonly { readonly str: string; readonly hasEOL: boolean }[];
}

/**
 * The lines of a page as they are drawn, which most programs do in reading order. They come in parts, and no more are
 * asked for once there are `maxCharacters`. The stream is then left to the end of the document: cancelling it between
 * two parts fails in the library, outside of any promise.
 */
async function linesOf(page: PDFPageProxy, maxCharacters: number): Promise<readonly string[]> {
  const lines: string[] = [];
  let line: string[] = [];
  let characters = 0;
  const reader = (page.streamTextContent() as ReadableStream<TextChunk>).getReader();
  while (characters <= maxCharacters) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const { str, hasEOL } of value.items) {
      line.push(str);
      characters += str.length;
      if (!hasEOL) continue;
      lines.push(line.join(""));
      line = [];
    }
  }
  lines.push(line.join(""));
  return lines;
}

/** What the document says of itself, in its old place and in its newer one. */
interface Said {
  readonly info: Readonly<Record<string, unknown>>;
  readonly metadata: { get(name: string): unknown } | null;
}

/** What a PDF says of itself. What is damaged is left out. */
async function factsOf(document: PDFDocumentProxy): Promise<FileText["facts"]> {
  const { info, metadata } = await document.getMetadata().then(
    (said) => said as unknown as Said,
    (): Said => ({ info: {}, metadata: null }),
  );
  return {
    title: titleOf(info["Title"]) ?? titleOf(metadata?.get("dc:title")),
    author: lineOf(info["Author"]) ?? lineOf(metadata?.get("dc:creator")),
    language: languageCode(textOf(info["Language"])),
    pageCount: document.numPages,
    createdAt: timeOf(info["CreationDate"]) ?? timeOf(metadata?.get("xmp:createdate")),
    modifiedAt: timeOf(info["ModDate"]) ?? timeOf(metadata?.get("xmp:modifydate")),
  };
}

const textOf = (value: unknown): string | undefined =>
  Array.isArray(value) ? value.map(textOf).filter(Boolean).join(", ") : typeof value === "string" ? value : undefined;

const lineOf = (value: unknown): string | undefined => oneLine(textOf(value)?.normalize("NFKC"));

/** Printing from an office program names that program first. */
const titleOf = (value: unknown): string | undefined => lineOf(value)?.replace(/^Microsoft \w+ - (?=\S)/, "");

/** `D:20230204115901+01'00'`: all but the year may be left out, and no zone counts as UTC. */
const pdfDate = /^(?:D:)?(\d{4}(?:\d\d){0,5})(?:([+-]\d\d)(?:'?(\d\d))?)?/;

const rest = "00000101000000";

/** In a PDF's own notation or as ISO 8601. */
function timeOf(value: unknown): string | undefined {
  const said = textOf(value)?.trim();
  if (said === undefined || /^\d{4}-/.test(said)) return instantOf(said);
  const [, digits, zoneHour = "+00", zoneMinute = "00"] = pdfDate.exec(said) ?? [];
  if (digits === undefined) return undefined;
  const whole = digits + rest.slice(digits.length);
  const time = whole.replace(/^(.{4})(..)(..)(..)(..)(..)$/, "$1-$2-$3T$4:$5:$6");
  return instantOf(`${time}${zoneHour}:${zoneMinute}`);
}
