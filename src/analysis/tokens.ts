import { characterEnd, classAt, classOfUnit, separator, unspaced, word } from "./characters.js";
import { humpsOf, mayHaveHumps, smallLetterBit } from "./humps.js";

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
