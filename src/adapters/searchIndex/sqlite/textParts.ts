import { charactersPerPart, partsPerDocument } from "./schema.js";

export const firstPartOf = (row: number): number => row * partsPerDocument;

const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;

/** Cuts a text into parts, never inside of a surrogate pair. An empty text has no parts. */
export function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + charactersPerPart);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}
