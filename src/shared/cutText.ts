/** Whether a UTF-16 unit is the first half of a character. */
export const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;

/**
 * Cuts a text into parts, never inside a surrogate pair. An empty text has no parts. `unitsOf` says how many UTF-16
 * units the n-th part may have.
 */
export function cutText(text: string, unitsOf: (part: number) => number): readonly string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + unitsOf(parts.length));
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}

/** The first so many UTF-16 units of a text, without the first half of a character at its end. */
export const beginningOf = (text: string, mostUnits: number): string =>
  text.slice(0, mostUnits).replace(/[\ud800-\udbff]$/, "");

/** The text without any of these characters at its end. Takes one step a character, which `/[…]+$/` does not. */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
