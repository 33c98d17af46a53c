import type { CarriedText } from "../../shared/carriedText.js";
import { cutText } from "../../shared/cutText.js";

/** At most three UTF-8 bytes per UTF-16 unit: a chunk stays below 512 KiB. */
const unitsPerChunk = 160 * 1024;
const bytesPerChunk = 3 * unitsPerChunk;
/** Bytes of a character after its first, at most. More of them in a row are no text. */
const longestRest = 3;

/**
 * Cuts a text, or bytes that need be none, into at least one chunk, each below 512 KiB in UTF-8, never through a
 * character. It is chunks, because a log server limits the size of an append, and because SQLite then erases a text of
 * 100 MB in transactions that hold up no append. Chunks are carried as the text is.
 */
export function toChunks(text: CarriedText): readonly CarriedText[] {
  if (text.length === 0) return [""];
  return typeof text === "string" ? cutText(text, () => unitsPerChunk) : cutBytes(text);
}

function cutBytes(bytes: Uint8Array): readonly Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = characterBefore(bytes, Math.min(bytes.length, start + bytesPerChunk));
    chunks.push(bytes.subarray(start, end));
    start = end;
  }
  return chunks;
}

/** Where the character begins that the place is within; the place itself where it is within none. */
function characterBefore(bytes: Uint8Array, place: number): number {
  for (let back = 0; back <= longestRest; back++) if (!isWithinCharacter(bytes[place - back])) return place - back;
  return place;
}

/** The bytes of a character after its first begin with the bits 10. */
const isWithinCharacter = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
