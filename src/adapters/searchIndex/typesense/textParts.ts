/** UTF-16 units of the first part: as much as a passage is looked for in. */
const firstPart = 100_000;
/** Of each further one. */
const furtherParts = 500_000;

const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;

/** Cuts a text into parts, never inside of a surrogate pair. At least one; an empty text has an empty part. */
export function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  for (let start = 0; start === 0 || start < text.length; ) {
    let end = Math.min(text.length, start + (parts.length === 0 ? firstPart : furtherParts));
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    parts.push(text.slice(start, end));
    if (end === 0) break;
    start = end;
  }
  return parts;
}
