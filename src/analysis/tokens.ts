import { type CharacterClass, classAt, lengthAt, separator, unspaced, word } from "./characters.js";

/** Told of each token as a range of UTF-16 units of the text. */
export type TokenVisitor = (start: number, end: number) => void;

const apostrophe = 0x27;
const typographicApostrophe = 0x2019;
const letterS = 0x73;

/**
 * Walks the tokens of `text` from `from` to `to` in one pass: runs of letters, digits and marks of any script; an
 * English possessive `'s` is left out. In scripts without spaces, each pair of neighbouring characters, and the last
 * character of a run alone: so every single character starts a token, and any part of a run is a run of tokens.
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
      const start = index;
      index = endOfRun(text, index + 1, to, word);
      visit(start, index);
      if (isPossessive(text, index, to)) index += 2;
    }
  }
}

function endOfRun(text: string, from: number, to: number, wanted: CharacterClass): number {
  let end = from;
  while (end < to && classAt(text, end) === wanted) end += 1;
  return end;
}

function visitPairs(text: string, from: number, to: number, visit: TokenVisitor): number {
  const end = endOfRun(text, from + 1, to, unspaced);
  for (let start = from; start < end; ) {
    const second = start + lengthAt(text, start);
    visit(start, second < end ? Math.min(end, second + lengthAt(text, second)) : end);
    start = second;
  }
  return end;
}

/** True where `index` stands at the apostrophe of a final `'s`. */
function isPossessive(text: string, index: number, to: number): boolean {
  const unit = index + 1 < to ? text.charCodeAt(index) : 0;
  if (unit !== apostrophe && unit !== typographicApostrophe) return false;
  if ((text.charCodeAt(index + 1) | 0x20) !== letterS) return false;
  return index + 2 >= to || classAt(text, index + 2) === separator;
}
