import type { ReadableStream } from "node:stream/web";
import type { PDFPageProxy } from "pdfjs-dist";

/** A part of what is drawn. */
interface TextChunk {
  readonly items: readonly { readonly str: string; readonly hasEOL: boolean }[];
}

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
