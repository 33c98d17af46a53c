/** Nothing that is written: control characters, and what stands for a character that was lost or never was one. */
// eslint-disable-next-line no-control-regex
const broken = /[\p{Cn}\ufffd\u0000-\u0008\u000e-\u001f\u007f-\u009f]/gu;
const mostBroken = 0.1;
const mostBrokenInLine = 0.25;
/** Signs of lists and formulas are often of the private use area; letters of a whole text are not. */
const privateUse = /\p{Co}/gu;
const mostPrivate = 0.5;
/** Fewer say too little. */
const enoughCharacters = 30;
const leastPlausible = 0.3;
const examinedCharacters = 20_000;

/**
 * Whether text consists of characters that anybody can read. A font that does not tell its characters may leave signs
 * of nobody's script. Nothing is asked of the words: names, numbers of parts and sums are text as well.
 */
export const hasReadableCharacters = (text: string): boolean => isReadable(text, mostBroken);

/** The same of a line, which has more of them where its spaces alone are lost. */
export const hasSomeReadableCharacters = (text: string): boolean => isReadable(text, mostBrokenInLine);

function isReadable(text: string, most: number): boolean {
  const start = text.slice(0, examinedCharacters);
  const characters = start.replace(/\s+/g, "").length;
  const isRare = (signs: RegExp, share: number): boolean => (start.match(signs)?.length ?? 0) <= characters * share;
  return characters > 0 && isRare(broken, most) && isRare(privateUse, mostPrivate);
}

/** Text with spaces instead of control characters. */
export const withoutControls = (text: string): string => text.replace(/\p{Cc}/gu, " ");

/**
 * Whether text that was guessed, from an image or from the numbers of glyphs, has words in it. A wrong guess has
 * letters that make up none. Tables of numbers, and scripts other than Latin, are taken for text.
 */
export function hasWords(text: string): boolean {
  if (!hasReadableCharacters(text)) return false;
  const words = text.slice(0, examinedCharacters).split(/\s+/).filter(tells);
  return (
    lengthOf(words) < enoughCharacters || lengthOf(words.filter(isPlausibleWord)) >= lengthOf(words) * leastPlausible
  );
}

/** By characters, not by words: text without spaces is one long word. */
const lengthOf = (words: readonly string[]): number => words.reduce((sum, word) => sum + word.length, 0);

const nonLatin = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;
/** Numbers say nothing, and neither do one or two letters. */
const tells = (word: string): boolean => /\p{L}\P{L}?\p{L}\P{L}?\p{L}/u.test(word) || nonLatin.test(word);
/** A part of a word as people write it: small, with a capital first, or in capitals. */
const part = /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+)$/u;
const vowel = /[aeiouyàáâãäåæèéêëìíîïòóôõöøœùúûüýÿąęěėīıłńőōřšūůűž]/iu;
const longestPart = 40;

function isPlausibleWord(word: string): boolean {
  if (nonLatin.test(word)) return true;
  if (/\p{L}\p{N}+\p{L}/u.test(word)) return false;
  return word.split(/[\p{P}\p{S}\p{N}\p{M}]+/u).every((letters) => letters.length < 2 || isPlausiblePart(letters));
}

const isPlausiblePart = (letters: string): boolean =>
  part.test(letters) && letters.length <= longestPart && (letters.length < 3 || vowel.test(letters));
