/**
 * Every white space that Unicode knows, among it U+0085, which JavaScript's own class lacks; the separators U+001C to
 * U+001F, which other languages count; and the byte order mark.
 */
const classOf = (not: "" | "^"): string => `[${not}\\p{White_Space}\\u{1c}-\\u{1f}\\u{feff}]`;
const anywhere = new RegExp(classOf(""), "u");
const other = new RegExp(classOf("^"), "u");
const atEnds = new RegExp(`^${classOf("")}+|${classOf("")}+$`, "gu");

/** Whether a text holds white space. */
export const holdsWhiteSpace = (text: string): boolean => anywhere.test(text);

/** Whether there is nothing in a text but white space. */
export const isBlank = (text: string): boolean => !other.test(text);

/** The text without white space at its ends. For short texts. */
export const trimmed = (text: string): string => text.replace(atEnds, "");
