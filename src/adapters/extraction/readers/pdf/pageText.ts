import type { ReadableStream } from "node:stream/web";
import type { PDFPageProxy } from "pdfjs-dist";

/** A part of what is drawn. */
interface TextChunk {
  readonly items: readonly { readonly str: string; readonly hasEOL: boolean }[];
}

/** What no text of a page means: control characters and halves of surrogate pairs. Line breaks are put in here. */
// eslint-disable-next-line no-control-regex
const meaningless = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200b\ufeff\ufffe\uffff]|\p{Cs}/gu;

/**
 * The lines of a page as they are drawn, which most programs do in reading order. They come in parts, and no more are
 * asked for once there are `maxCharacters`. The stream is then left to the end of the document: cancelling it between
 * two parts fails in the library, outside of any promise.
 */
export async function linesOf(page: PDFPageProxy, maxCharacters: number): Promise<readonly string[]> {
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

/** Ligatures and wide letters as plain ones, gaps as one space; without what nobody can read and without empty lines. */
export function cleanLines(lines: readonly string[]): string {
  return lines
    .map((line) => line.normalize("NFKC").replace(meaningless, "").replace(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}
