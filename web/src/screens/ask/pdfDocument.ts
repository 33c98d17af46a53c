import { AnnotationMode, getDocument, PDFWorker, type PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
// Vite makes this export: the address of the file.
// oxlint-disable-next-line import/default
import workerAddress from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url";

/** A PDF whose pages can be drawn. Nothing of it runs: no script, no form, no link. */
export interface DrawablePdf {
  readonly pages: number;
  /** Draws a page, at most so wide, on a canvas that no other page is drawn on; pages are counted from 1. */
  draw(page: number, canvas: HTMLCanvasElement, width: number, signal: AbortSignal): Promise<void>;
  /** Ends whatever is under way, and gives the memory back. */
  close(): void;
}

/** A browser that has it takes the address of a script from a named policy alone. */
interface ScriptPolicies {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: () => string },
  ): { createScriptURL(address: string): unknown };
}

const policies = (globalThis as { readonly trustedTypes?: ScriptPolicies }).trustedTypes;
const policy = policies?.createPolicy("pdf-worker", { createScriptURL: () => workerAddress });
const trustedAddress = (policy?.createScriptURL("") ?? workerAddress) as string;

/** A page is drawn with so many pixels at most, whatever size it claims. */
const mostPixels = 8_000_000;
const mostImagePixels = 50_000_000;

/**
 * Opens a PDF in a worker of its own, which ends with it.
 *
 * @throws where it is no PDF that can be opened without a password.
 */
export async function openPdf(bytes: ArrayBuffer): Promise<DrawablePdf> {
  const thread = new Worker(trustedAddress, { type: "module" });
  const worker = PDFWorker.create({ port: thread });
  const assets = new URL("/assets/", location.origin).href;
  const task = getDocument({
    data: bytes,
    worker,
    ...{ cMapUrl: assets, cMapPacked: true, standardFontDataUrl: assets, wasmUrl: assets, useWorkerFetch: true },
    ...{ useSystemFonts: false, enableXfa: false, isEvalSupported: false, maxImageSize: mostImagePixels, verbosity: 0 },
  });
  const close = (): void => {
    void task.destroy();
    worker.destroy();
    thread.terminate();
  };
  try {
    const document = await task.promise;
    return { pages: document.numPages, draw: drawerOf(document), close };
  } catch (error) {
    close();
    throw error;
  }
}

function drawerOf(document: PDFDocumentProxy): DrawablePdf["draw"] {
  return async (number, canvas, width, signal) => {
    const page = await document.getPage(number);
    signal.throwIfAborted();
    const natural = page.getViewport({ scale: 1 });
    const scale = Math.min(width / natural.width, Math.sqrt(mostPixels / (natural.width * natural.height)));
    const viewport = page.getViewport({ scale });
    canvas.width = Math.max(1, Math.floor(viewport.width));
    canvas.height = Math.max(1, Math.floor(viewport.height));
    // What is filled in a form is drawn as part of the page; there is nothing to click.
    const drawing = page.render({ canvas, viewport, annotationMode: AnnotationMode.ENABLE });
    signal.addEventListener("abort", () => drawing.cancel(), { once: true });
    await drawing.promise;
    page.cleanup();
  };
}
