import { beginningsOf } from "./words.js";

const ascii = 128;
const toUpperCase = "a".charCodeAt(0) - "A".charCodeAt(0);
const isLower = (unit: number): boolean => unit >= 0x61 && unit <= 0x7a;
const letterE = "e".charCodeAt(0);
const letterY = "y".charCodeAt(0);
const beforeDigraphs = new Set(["a", "o", "u"].map((letter) => letter.charCodeAt(0)));

/**
 * Tells by its first two characters alone whether the token that starts at a place of a text may become one of these
 * terms. This spares most tokens a look-up. It is right because neither folding nor stemming changes a first letter of
 * ASCII except for its case, nor a second one except for an `e` that makes an umlaut (`ueber`) and a `y` (`lying`), but
 * for forms that are known to begin otherwise (`brought`, `getragen`). Make it once for many texts.
 */
export function initialsOf(terms: readonly string[]): (text: string, start: number) => boolean {
  const first = new Uint8Array(ascii);
  const pairs = new Uint8Array(ascii * ascii);
  for (const beginning of terms.flatMap(beginningsOf)) {
    for (const unit of casesOf(beginning.charCodeAt(0))) {
      first[unit] = 1;
      for (const next of seconds(beginning)) pairs[unit * ascii + next] = 1;
    }
  }
  return (text, start) => {
    const unit = text.charCodeAt(start);
    if (unit >= ascii) return true;
    const next = start + 1 < text.length ? text.charCodeAt(start + 1) : 0;
    return next >= ascii ? first[unit] === 1 : pairs[unit * ascii + next] === 1;
  };
}

const anySecond = Array.from({ length: ascii }, (_unit, unit) => unit);

/** What may stand second in a token that begins so. */
function seconds(beginning: string): readonly number[] {
  const unit = beginning.charCodeAt(1);
  if (Number.isNaN(unit) || unit >= ascii) return anySecond;
  const dropped = beforeDigraphs.has(beginning.charCodeAt(0)) ? casesOf(letterE) : [];
  return [...casesOf(unit), ...casesOf(letterY), ...dropped];
}

/** The cases in which an ASCII unit may stand in a text; none for other units. */
function casesOf(unit: number): readonly number[] {
  if (unit >= ascii) return [];
  return isLower(unit) ? [unit, unit - toUpperCase] : [unit];
}
