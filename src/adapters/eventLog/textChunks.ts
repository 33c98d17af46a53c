/** At most three UTF-8 bytes per UTF-16 unit: a chunk stays below 512 KiB. */
const unitsPerChunk = 160 * 1024;

/**
 * Cuts a text into at least one piece, each below 512 KiB in UTF-8, never through a surrogate pair. Pieces rather than
 * one value: a log server limits the size of an append, and SQLite erases a text of 100 MB in transactions that hold up
 * no append.
 */
export function toChunks(text: string): readonly string[] {
  if (text.length <= unitsPerChunk) return [text];
  const chunks: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + unitsPerChunk;
    const cut = isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
    chunks.push(text.slice(start, cut));
    start = cut;
  }
  return chunks;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
