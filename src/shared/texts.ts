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

const unstorable = /[\0\p{Surrogate}]/u;

/** What is wrong with a text that {@link isUnstorable}, as a clause. */
export const notStorable = "text may not hold NUL characters or unpaired surrogates";

/** Whether a text holds NUL characters or unpaired surrogates, which no store keeps as they are. */
export const isUnstorable = (text: string): boolean => unstorable.test(text);

/** A count with its noun: `1 event`, `12,000 events`. `plural` where that is not the noun with an s. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? noun : plural}`;

/**
 * The languages that texts are analysed in, and readers have. A text in any other one is found by its words as written.
 */
export const languages = ["de", "en"] as const;

export type Language = (typeof languages)[number];
/** The fields of a document that are searched, in the API's words. */
const searchedFields = ["title", "text", "property", "file_name", "author", "folder"] as const;

export type SearchedField = (typeof searchedFields)[number];
