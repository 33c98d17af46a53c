/** What a character is to the tokeniser. */
type CharacterClass = typeof separator | typeof word | typeof unspaced;
export const separator = 0;
/** A letter, digit or mark: tokens are runs of these. */
export const word = 1;
/** A character of a script without spaces between words: tokens are pairs of neighbours. */
export const unspaced = 2;

/** Kana are told by script extensions, so a mark that prolongs or voices one belongs to it. */
const unspacedScripts =
  /[\p{sc=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Hangul}]/u;
/**
 * Letters, digits, marks, and units that are one character (`㎡`). The last six are invisible in a word: soft hyphen,
 * word joiner, byte order mark, space without width, non-joiner, joiner.
 */
const wordCharacters = /[\p{L}\p{N}\p{M}\u3371-\u33df]|[\u00AD\u2060\uFEFF]|\u200B|\u200C|\u200D/u;

/** In every script a number is a word of its own, as `1234` is. */
const digit = /\p{Nd}/u;

/** A letter by its category, an apostrophe by its use. */
const letterApostrophe = "\u02bc";

const notYetKnown = 255;
/** One byte per UTF-16 code unit, filled when a text first holds it. */
const classes = new Uint8Array(0x10000).fill(notYetKnown);

const isHighSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLowSurrogate = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;

/** Whether a token is of a script without spaces, which its first character tells. */
export const isUnspaced = (token: string): boolean => classAt(token, 0) === unspaced;

/** Whether it is a single character of one. */
export const isUnspacedCharacter = (token: string): boolean =>
  isUnspaced(token) && token.length === characterEnd(token, 0);

/** The class of the character at `index`. Both halves of a surrogate pair have the pair's class. */
export const classAt = (text: string, index: number): CharacterClass =>
  classOfUnit(text.charCodeAt(index), text, index);

/** The same, for who has read the UTF-16 unit at `index` already: reading it is most of what it takes. */
export function classOfUnit(unit: number, text: string, index: number): CharacterClass {
  const known = classes[unit] as number;
  if (known !== notYetKnown) return known as CharacterClass;
  if (isHighSurrogate(unit) || isLowSurrogate(unit))
    return classOfPair(text, isHighSurrogate(unit) ? index : index - 1);
  const found = classOf(String.fromCharCode(unit));
  classes[unit] = found;
  return found;
}

function classOfPair(text: string, start: number): CharacterClass {
  return start >= 0 && lengthAt(text, start) === 2 ? classOf(text.slice(start, start + 2)) : separator;
}

function classOf(character: string): CharacterClass {
  if (character === letterApostrophe || !wordCharacters.test(character)) return separator;
  return unspacedScripts.test(character) && !digit.test(character) ? unspaced : word;
}

/**
 * What belongs to the character before it: marks, voiced kana of half the width, and the later parts of a Hangul
 * syllable.
 */
const attached = /[\p{M}\u0e33\u0eb3\uff9e\uff9f\u1160-\u11ff]/u;
const attaches = new Uint8Array(0x10000).fill(notYetKnown);

function isAttached(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (attaches[unit] === notYetKnown) attaches[unit] = attached.test(String.fromCharCode(unit)) ? 1 : 0;
  return attaches[unit] === 1;
}

/** Where the character ends, with its marks, that starts at `index`; at `to` at the latest. */
export function characterEnd(text: string, index: number, to = text.length): number {
  let end = index + lengthAt(text, index);
  while (end < to && isAttached(text, end)) end += 1;
  return Math.min(end, to);
}

/** UTF-16 units of the character that starts at `index`. */
export const lengthAt = (text: string, index: number): 1 | 2 =>
  isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1)) ? 2 : 1;
