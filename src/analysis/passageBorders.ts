import { headingsOf, type Heading } from "./headings.js";
import { lengthAt } from "./characters.js";
import { forEachToken } from "./tokens.js";

/** Where a passage begins and ends in its text. */
export interface PassageRange {
  readonly start: number;
  readonly end: number;
  /** The headings above it, outermost first; null where there is none. */
  readonly heading: string | null;
  /** How many words it has, as the search counts them. */
  readonly words: number;
}

const usualWords = 200;
const mostWords = 300;
const mostCharacters = 2_500;
/** A passage is not cut shorter than this for the sake of a border. */
const fewestWords = 60;

/**
 * Cuts a text into passages of about 200 words: at headings; at the end of a paragraph where 200 words are reached, or
 * before the one that would make more than 300; where a paragraph alone is longer, at the end of a line or a sentence.
 * None has more than 300 words or 2,500 characters. Headings are told of the passages below them; one with nothing
 * below it is a passage. Every word of the text is in one of the two.
 */
export function* passageRangesOf(text: string): Generator<PassageRange, void, void> {
  let above: readonly Heading[] = [];
  let at = 0;
  for (const heading of headingsOf(text)) {
    yield* passagesBelow(text, at, heading.start, above, heading.level);
    above = [...above.filter(({ level }) => level < heading.level), heading];
    at = heading.end;
  }
  yield* passagesBelow(text, at, text.length, above, 0);
}

/** The passages of a section, whose innermost heading is the last one; `nextLevel` is the level of what follows it. */
function* passagesBelow(
  text: string,
  start: number,
  end: number,
  above: readonly Heading[],
  nextLevel: number,
): Generator<PassageRange, void, void> {
  const heading = pathOf(above);
  let isEmpty = true;
  for (let at = start; at < end;) {
    const { words, ...cut } = nextCut(text, at, end);
    if (words > 0) {
      yield { ...withoutBlanks(text, at, cut.end), heading, words };
      isEmpty = false;
    }
    at = cut.end;
  }
  const last = above.at(-1);
  if (isEmpty && last !== undefined && nextLevel <= last.level)
    yield {
      ...withoutBlanks(text, last.start, last.end),
      heading: pathOf(above.slice(0, -1)),
      words: countWords(last.text),
    };
}

const pathOf = (above: readonly Heading[]): string | null =>
  above.length === 0 ? null : above.map(({ text }) => text).join(" › ");

interface Cut {
  readonly end: number;
  /** How many words stand before it. */
  readonly words: number;
}

/** Where the passage ends that begins at `start`. */
function nextCut(text: string, start: number, end: number): Cut {
  const bound = Math.min(end, start + mostCharacters);
  const borders = new Borders();
  let words = 0;
  let previousEnd = start;
  forEachToken(text, start, bound, (from, to) => {
    if (words > 0 && from >= previousEnd) borders.see(text, previousEnd, from, words);
    words += 1;
    if (words > mostWords && borders.full === null) borders.full = { end: from, words: words - 1 };
    previousEnd = to;
  });
  if (borders.paragraphAfterUsual !== null) return borders.paragraphAfterUsual;
  if (borders.full === null && bound === end) return { end, words };
  return borders.best() ?? borders.full ?? { end: wholeCharacters(text, bound), words };
}

/** The borders that a passage may end at. */
class Borders {
  paragraphAfterUsual: Cut | null = null;
  /** Where the passage has all the words that it may have. */
  full: Cut | null = null;
  private paragraph: Cut | null = null;
  private line: Cut | null = null;
  private sentence: Cut | null = null;
  private word: Cut | null = null;

  /** Looks at what stands between two words. */
  see(text: string, from: number, to: number, words: number): void {
    if (this.full !== null || this.paragraphAfterUsual !== null) return;
    this.word = { end: from, words };
    if (to - from === 1 && text.charCodeAt(from) === 0x20) return;
    const between = text.slice(from, to);
    const paragraph = /\n[^\S\n]*\n/.exec(between);
    if (paragraph !== null) this.seeParagraph({ end: from + paragraph.index, words });
    const line = between.indexOf("\n");
    if (line !== -1) this.line = nearer(this.line, { end: from + line, words });
    const sentence = /[.!?…]["”“’»)\]]*(?=\s)|[。！？]/.exec(between);
    if (sentence !== null)
      this.sentence = nearer(this.sentence, { end: from + sentence.index + sentence[0].length, words });
  }

  private seeParagraph(cut: Cut): void {
    this.paragraph = cut.words >= fewestWords ? cut : null;
    if (cut.words >= usualWords) this.paragraphAfterUsual = cut;
  }

  best(): Cut | null {
    return this.paragraph ?? this.line ?? this.sentence ?? this.word;
  }
}

/** The first border after the usual number of words, else the last one before. */
const nearer = (known: Cut | null, cut: Cut): Cut | null =>
  (known !== null && known.words >= usualWords) || cut.words < fewestWords ? known : cut;

function countWords(text: string): number {
  let words = 0;
  forEachToken(text, 0, text.length, () => (words += 1));
  return words;
}

/** Never cuts through a surrogate pair. */
const wholeCharacters = (text: string, at: number): number => at - 1 + lengthAt(text, at - 1);

function withoutBlanks(text: string, from: number, to: number): { readonly start: number; readonly end: number } {
  let [start, end] = [from, to];
  while (start < end && isBlankAt(text, start)) start += 1;
  while (end > start && isBlankAt(text, end - 1)) end -= 1;
  return { start, end };
}

const isBlankAt = (text: string, at: number): boolean => /\s/.test(text.charAt(at));
