import { classAt, unspaced } from "./characters.js";
import { canBeContinued } from "./completions.js";
import { foldDigraphs, looseSpellingsOf, spellingsOf } from "./folding.js";
import { areCapitalsMeant, isByCapitals, markedForm } from "./joinedForms.js";
import { forEachToken } from "./tokens.js";
import { surfaceOf } from "./words.js";

/** Whoever has typed more words asks a question, which no title completes. */
const mostWords = 16;

/** A search while it is typed. */
export interface TypedText {
  /** What stands before the last word, as it was typed. */
  readonly before: string;
  /** The words, folded as in {@link TitleWords}. */
  readonly words: readonly string[];
  /** The last word as it was typed. */
  readonly last: string;
  /** True where the last word may go on. */
  readonly isOpen: boolean;
  /** Beginnings of words of the vocabulary that may complete the last one; none where it says too little. */
  readonly beginnings: readonly string[];
}

/** The words of a title. */
export interface TitleWords {
  /**
   * Folded, with umlauts and their digraphs alike. They are not stemmed, so the beginning of a word is the beginning of
   * its folded form.
   */
  readonly words: readonly string[];
  /** Beside each of them the same with its mark, where that makes another word of it (`C++`, `.NET`); else null. */
  readonly marked: readonly (string | null)[];
}

/** Reads a title. */
export const titleWordsOf = (title: string): TitleWords => toTitleWords(title, wordsIn(title));

/** The beginning of a title as somebody types it. */
export interface TypedTitle extends TitleWords {
  /** True where the last of several words may go on. */
  readonly isOpen: boolean;
}

/** Reads what was typed as the beginning of a title. One word alone says too little to go on in titles. */
export function readTypedTitle(query: string): TypedTitle {
  const words = wordsIn(query);
  const last = words.at(-1);
  const isOpen = words.length > 1 && last?.end === query.length && canBeContinued(last.folded);
  const { marked, ...title } = toTitleWords(query, words);
  const areMeant = areCapitalsMeant(words.map(({ text }) => text));
  return {
    ...title,
    marked: marked.map((form) => (form !== null && (areMeant || !isByCapitals(form)) ? form : null)),
    isOpen,
  };
}

const toTitleWords = (text: string, words: readonly FoundWord[]): TitleWords => ({
  words: words.map(({ folded }) => folded),
  marked: words.map((word) => markedForm(text, word, word.folded)),
});

/** Reads what was typed so far; null where nothing can complete it: there is no word, or there are too many. */
export function readTyped(query: string): TypedText | null {
  const words = wordsIn(query);
  const last = words.at(-1);
  if (last === undefined || words.length > mostWords) return null;
  const isOpen = last.end === query.length;
  return {
    before: query.slice(0, last.start),
    words: words.map(({ folded }) => folded),
    last: last.text,
    isOpen,
    beginnings: isOpen ? beginningsOf(last.text) : [],
  };
}

/** How a title meets what was typed: it begins with it, or it holds all words, the last as a beginning; else null. */
export function meetingOf(typed: TypedText, title: string): "begins" | "holds" | null {
  const held = wordsIn(title);
  const { words } = typed;
  const isMet = (index: number, found: FoundWord | undefined): boolean =>
    found !== undefined &&
    (typed.isOpen && index === words.length - 1 ? goesOn(typed.last, found.text) : found.folded === words[index]);
  if (words.every((_word, index) => isMet(index, held[index]))) return "begins";
  return words.every((_word, index) => held.some((found) => isMet(index, found))) ? "holds" : null;
}

/**
 * True where a word as it is written begins with another as far as it was typed: `mue`, `mül` and `mul` go on in `Müller`
 * and in `Mueller`, and `poe` does not in `Post`.
 */
export function goesOn(typed: string, word: string): boolean {
  const spellings = looseSpellingsOf(word);
  return spellingsOf(typed).some((beginning) => spellings.some((spelling) => spelling.startsWith(beginning)));
}

interface FoundWord {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly folded: string;
}

function wordsIn(text: string): readonly FoundWord[] {
  const words: FoundWord[] = [];
  forEachToken(text, 0, text.length, (start, end) => {
    const token = text.slice(start, end);
    const surface = surfaceOf(token);
    if (surface !== null) words.push({ start, end, text: token, folded: foldDigraphs(surface.word.text) });
  });
  return words;
}

/** In scripts without spaces a token is no word. */
function beginningsOf(typed: string): readonly string[] {
  if (classAt(typed, 0) === unspaced) return [];
  return looseSpellingsOf(typed).filter(canBeContinued);
}
