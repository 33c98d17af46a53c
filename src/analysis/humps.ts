/** Set in all units but those of the capitals that humps begin with, and others of no matter: without it no humps. */
export const smallLetterBit = 0x20;

const isUpperCase = (unit: number): boolean => (unit >= 0x41 && unit <= 0x5a) || (unit >= 0xc0 && unit <= 0xde);
const isLowerCase = (unit: number): boolean => (unit >= 0x61 && unit <= 0x7a) || (unit >= 0xdf && unit <= 0xff);

/** Where one hump ends and the next begins: `retry|Backoff`, `HTTP|Server`. */
const border = /(?<=\p{L}\p{Ll})(?=\p{Lu}\p{L})|(?<=\p{Lu}{2})(?=\p{Lu}\p{Ll}{2})/u;

/** Longer tokens are no names: encoded data (Base64) would fall into thousands of humps that say nothing. */
const longestName = 64;

/**
 * Whether a token may be written like `camelCase`: a cheap look at each character, which prose passes. A name that
 * begins with one small letter (`iPhone`) is none.
 */
export function mayHaveHumps(text: string, start: number, end: number): boolean {
  if (end - start > longestName) return false;
  for (let index = start + 2; index < end - 1; index += 1) {
    if (!isUpperCase(text.charCodeAt(index))) continue;
    const before = text.charCodeAt(index - 1);
    if (isLowerCase(before) || (isUpperCase(before) && isLowerCase(text.charCodeAt(index + 1)))) return true;
  }
  return false;
}

/** The humps of a token in their order; the token alone where it has none. Each has two letters or more. */
export const humpsOf = (token: string): readonly string[] => token.split(border);
