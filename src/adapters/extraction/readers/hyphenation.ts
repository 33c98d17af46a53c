import { withoutTrailing } from "../../../shared/texts.js";

/** Words that follow a part of a word, as in "Vor- und Nachteile" or "pre- and post-war". */
const betweenParts = new Set(["und", "oder", "sowie", "bzw", "bis", "als", "noch", "and", "or", "to", "nor", "but"]);

const softHyphen = "\u00ad";
const brokenWord = /(?<=\p{L})[-\u2010\u00ad]\n(?=\p{L})/gu;
const longestWord = 64;

/**
 * Makes one word of each that was broken at the end of a line. A hyphen that belongs to the word stays: before a
 * capital ("Nord-Süd"), or where the text writes the word with it elsewhere ("well-known").
 */
export function joinBrokenWords(text: string): string {
  let known: ReadonlySet<string> | undefined;
  const isKnown = (word: string): boolean => (known ??= wordsOf(text)).has(word.toLowerCase());
  return text
    .replace(brokenWord, (hyphenAndBreak, at: number) => {
      const before = wordBefore(text, at);
      const after = wordAfter(text, at + hyphenAndBreak.length);
      if (hyphenAndBreak[0] === softHyphen) return "";
      if (betweenParts.has(after)) return "- ";
      return isOneWord(before, after, isKnown) ? "" : "-";
    })
    .replaceAll(softHyphen, "");
}

function isOneWord(before: string, after: string, isKnown: (word: string) => boolean): boolean {
  const lastPart = before.slice(before.lastIndexOf("-") + 1);
  if (isKnown(`${before}-${after}`)) return false;
  if (startsLower(after)) return before.split("-").length < 3 || isKnown(lastPart + after);
  return isKnown(lastPart + after);
}

const startsLower = (word: string): boolean => /^\p{Ll}/u.test(word);

const wordBefore = (text: string, end: number): string =>
  text
    .slice(Math.max(0, end - longestWord), end)
    .split(/[^\p{L}-]/u)
    .at(-1) ?? "";

const wordAfter = (text: string, start: number): string =>
  withoutTrailing(/^[\p{L}-]*/u.exec(text.slice(start, start + longestWord))?.[0] ?? "", "-");

/** The words that stand whole in a line. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [word] of text.matchAll(/[\p{L}-]+/gu)) if (word.length <= longestWord) words.add(word.toLowerCase());
  return words;
}

/** What no line of text means: control characters and halves of surrogate pairs. Line breaks are put in here. */
// eslint-disable-next-line no-control-regex
const meaningless = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200b\ufeff\ufffe\uffff]|\p{Cs}/gu;

/**
 * Ligatures and wide letters as plain ones, gaps as one space; without what nobody can read and without empty lines.
 */
export function joinLines(lines: readonly string[]): string {
  return lines
    .map((line) => line.normalize("NFKC").replace(meaningless, "").replace(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}
