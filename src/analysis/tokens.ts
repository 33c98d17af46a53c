import { characterEnd, classAt, classOfUnit, separator, unspaced, word } from "./characters.js";

/** Called for each token, as a range of UTF-16 units of the text. Returns true where it has seen enough. */
type TokenVisitor = (start: number, end: number) => unknown;

const apostrophe = 0x27;
const typographicApostrophe = 0x2019;
const letterS = 0x73;

/**
 * Walks the tokens of `text` from `from` to `to` in one pass. A token is a run of letters, digits and marks of any
 * script; an English possessive `'s` is left out, and `camelCase` is two tokens. In scripts without spaces it is each
 * pair of neighbouring characters, and the last character of a run alone. So every single character starts a token, and
 * any part of a run is a run of tokens.
 */
export function forEachToken(text: string, from: number, to: number, visit: TokenVisitor): void {
  let index = from;
  while (index < to) {
    const found = classAt(text, index);
    if (found === separator) {
      index += 1;
    } else if (found === unspaced) {
      index = visitPairs(text, index, to, visit);
    } else {
      index = visitWord(text, index, to, visit);
    }
  }
}

/** Returns where to go on. */
function visitWord(text: string, start: number, to: number, visit: TokenVisitor): number {
  let common = smallLetterBit;
  let end = start;
  while (++end < to) {
    const unit = text.charCodeAt(end);
    if (classOfUnit(unit, text, end) !== word) break;
    common &= unit;
  }
  const hasHumps = common === 0 && mayHaveHumps(text, start, end);
  if (hasHumps ? visitHumps(text, start, end, visit) : visit(start, end) === true) return to;
  return isPossessive(text, end, to) ? end + 2 : end;
}

/** Returns whether enough was seen. */
function visitHumps(text: string, from: number, to: number, visit: TokenVisitor): boolean {
  let start = from;
  for (const hump of humpsOf(text.slice(from, to))) {
    if (visit(start, start + hump.length) === true) return true;
    start += hump.length;
  }
  return false;
}

/** Returns where to go on. */
function visitPairs(text: string, from: number, to: number, visit: TokenVisitor): number {
  let end = from + 1;
  while (end < to && classAt(text, end) === unspaced) end += 1;
  for (let start = from; start < end;) {
    const second = characterEnd(text, start, end);
    const pairEnd = second < end ? characterEnd(text, second, end) : end;
    if (visit(start, pairEnd) === true) return to;
    start = second;
  }
  return end;
}

/** True where `index` is at the apostrophe of a final `'s`. */
function isPossessive(text: string, index: number, to: number): boolean {
  const unit = index + 1 < to ? text.charCodeAt(index) : 0;
  if (unit !== apostrophe && unit !== typographicApostrophe) return false;
  if ((text.charCodeAt(index + 1) | 0x20) !== letterS) return false;
  return index + 2 >= to || classAt(text, index + 2) === separator;
}

/** Set in all units but those of the capitals that humps begin with, and others of no matter: without it no humps. */
const smallLetterBit = 0x20;

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
function mayHaveHumps(text: string, start: number, end: number): boolean {
  if (end - start > longestName) return false;
  for (let index = start + 2; index < end - 1; index += 1) {
    if (!isUpperCase(text.charCodeAt(index))) continue;
    const before = text.charCodeAt(index - 1);
    if (isLowerCase(before) || (isUpperCase(before) && isLowerCase(text.charCodeAt(index + 1)))) return true;
  }
  return false;
}

/** The humps of a token in their order; the token alone where it has none. Each has two letters or more. */
const humpsOf = (token: string): readonly string[] => token.split(border);
