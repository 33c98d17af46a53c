import type { PDFDocumentProxy } from "pdfjs-dist";
import { fileURLToPath } from "node:url";
import { EncryptedFile, UnreadableFile } from "../reader.js";
import type { Instructions } from "./glyphs.js";

const folderInPackage = (name: string): string => fileURLToPath(import.meta.resolve(`pdfjs-dist/${name}/`));

/** What a PDF is opened for: pages are read without their images. */
type Purpose = "reading" | "painting";

/** Larger images are neither decoded nor painted. */
const mostPixelsOfImage = { reading: 1, painting: 50_000_000 };

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

/** A PDF that is open, and the numbers of the instructions that its pages consist of. */
export interface OpenPdf {
  readonly document: PDFDocumentProxy;
  readonly instructions: Instructions;
}

/**
 * Opens a PDF, with the empty password where it is encrypted: a file that is only protected from changes opens with it.
 * Nothing is fetched and no code of the file is run. The caller destroys its loading task.
 *
 * @throws UnreadableFile where it takes a password, or is no PDF that anybody could open.
 */
export async function openPdf(bytes: Buffer, purpose: Purpose): Promise<OpenPdf> {
  try {
    return await opened(bytes, purpose, purpose === "reading");
  } catch (error) {
    return secondTry(bytes, purpose, error).catch(unreadable);
  }
}

/** Without what the first try may have failed for: encryption that does not concern the text, and a form in XML. */
async function secondTry(bytes: Buffer, purpose: Purpose, error: unknown): Promise<OpenPdf> {
  if (!isEncrypted(error)) return opened(bytes, purpose, false);
  if (!hasPlainText(bytes)) throw error;
  return opened(withoutEncryption(bytes), purpose, false);
}

async function opened(bytes: Buffer, purpose: Purpose, enableXfa: boolean): Promise<OpenPdf> {
  const { getDocument, OPS } = await loadLibrary();
  const task = getDocument({
    // The library takes what it is given for itself.
    data: new Uint8Array(bytes),
    cMapUrl: folderInPackage("cmaps"),
    standardFontDataUrl: folderInPackage("standard_fonts"),
    wasmUrl: folderInPackage("wasm"),
    maxImageSize: mostPixelsOfImage[purpose],
    isEvalSupported: false,
    useSystemFonts: false,
    verbosity: onlyErrors,
    enableXfa,
    // It tells which fonts have no map of characters.
    fontExtraProperties: purpose === "reading",
  });
  try {
    return { document: await task.promise, instructions: OPS };
  } catch (error) {
    await task.destroy();
    throw error;
  }
}

const isEncrypted = (error: unknown): boolean => error instanceof Error && error.name === "PasswordException";

/** The password of such a file is asked for when a file in it is opened: its texts are not encrypted. */
const hasPlainText = (bytes: Buffer): boolean =>
  [/\/EFOpen\b/, /\/StmF\s*\/Identity\b/, /\/StrF\s*\/Identity\b/].every((said) => said.test(bytes.toString("latin1")));

/** The files in it stay as they are: nobody can open them. */
const withoutEncryption = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.toString("latin1").replaceAll("/Encrypt ", "/Nothing "), "latin1");

function unreadable(error: unknown): never {
  if (isEncrypted(error)) throw new EncryptedFile("The PDF is encrypted.");
  throw new UnreadableFile("The PDF is damaged.", { cause: error });
}
