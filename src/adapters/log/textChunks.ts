import { closeSync, openSync, readSync } from "node:fs";
import type { CarriedFile, CarriedText } from "../../shared/carriedText.js";
import { cutText } from "../../shared/texts.js";

/** At most three UTF-8 bytes per UTF-16 unit: a chunk stays below 512 KiB. */
const unitsPerChunk = 160 * 1024;
const bytesPerChunk = 3 * unitsPerChunk;
/** Bytes of a character after its first, at most. More of them in a row are no text. */
const longestRest = 3;

/** A content, cut. */
export interface Chunks {
  readonly count: number;
  /** The bytes of all chunks together. */
  readonly bytes: number;
  at(index: number): CarriedText;
}

/**
 * Cuts a text, or bytes that need be none, into at least one chunk, each below 512 KiB in UTF-8, never through a
 * character of a text. It is chunks, because a log server limits the size of an append, and because SQLite then erases
 * a text of 100 MB in transactions that hold up no append. Chunks are carried as the text is; those of a file are read
 * one by one, when they are asked for.
 */
export function toChunks(content: CarriedText | CarriedFile): Chunks {
  if (typeof content !== "string" && "path" in content) return chunksOfFile(content);
  const chunks = content.length === 0 ? [""] : cut(content);
  return {
    count: chunks.length,
    bytes: Buffer.byteLength(content),
    at: (index) => chunks[index] ?? "",
  };
}

const cut = (text: CarriedText): readonly CarriedText[] =>
  typeof text === "string" ? cutText(text, () => unitsPerChunk) : cutBytes(text);

const chunksOfFile = ({ path, bytes }: CarriedFile): Chunks => ({
  count: Math.max(1, Math.ceil(bytes / bytesPerChunk)),
  bytes,
  at: (index) => readPart(path, index * bytesPerChunk, Math.min(bytes, (index + 1) * bytesPerChunk)),
});

function readPart(path: string, from: number, to: number): Buffer {
  const part = Buffer.allocUnsafe(to - from);
  const file = openSync(path, "r");
  try {
    for (let at = 0; at < part.length;) {
      const read = readSync(file, part, at, part.length - at, from + at);
      if (read === 0) throw new Error("A file became shorter while it was brought into the log.");
      at += read;
    }
    return part;
  } finally {
    closeSync(file);
  }
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
