/**
 * Every white space that Unicode knows, among it U+0085, which JavaScript's own class lacks; the separators U+001C to
 * U+001F, which other languages count; and the byte order mark.
 */
const whiteSpace = "\\p{White_Space}\\u{1c}-\\u{1f}\\u{feff}";
const anywhere = new RegExp(`[${whiteSpace}]`, "u");
const other = new RegExp(`[^${whiteSpace}]`, "u");

/** Whether a text holds white space. */
export const holdsWhiteSpace = (text: string): boolean => anywhere.test(text);

/** Whether there is nothing in a text but white space. */
export const isBlank = (text: string): boolean => !other.test(text);

/** The text without white space at its ends. */
export function trimmed(text: string): string {
  const start = text.search(other);
  if (start === -1) return "";
  let end = text.length;
  // Every white space is one UTF-16 unit.
  while (anywhere.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
