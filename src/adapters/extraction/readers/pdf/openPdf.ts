import { fileURLToPath } from "node:url";
import type { PDFDocumentProxy } from "pdfjs-dist";
import { UnreadableFile } from "../reader.js";

const folderInPackage = (name: string): string => fileURLToPath(import.meta.resolve(`pdfjs-dist/${name}/`));

/** Larger images are not painted, and so not decoded. */
const mostPixelsOfImage = 50_000_000;

/** Tells of errors alone: what is odd in a file is no news to whoever runs the service. */
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
 * Nothing is fetched, no code of the file is run, and no image is decoded before a page is painted. Whoever opens it
 * destroys its loading task.
 *
 * @throws UnreadableFile where it takes a password, or is no PDF that anybody could open.
 */
export async function openPdf(bytes: Buffer): Promise<PDFDocumentProxy> {
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
  if (name === "PasswordException") return new UnreadableFile("The PDF is encrypted.");
  return new UnreadableFile("The PDF is damaged.", { cause: error });
}
