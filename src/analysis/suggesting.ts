import { classAt, separator, unspaced } from "./characters.js";
import { canBeContinued } from "./completions.js";
import { foldDigraphs, looseSpellingsOf, spellingsOf } from "./folding.js";
import { areCapitalsMeant, isByCapitals, joinedSpellings, markedForm, tokensWrittenLast } from "./joinedForms.js";
import { forEachToken } from "./tokens.js";
import { surfaceOf } from "./words.js";
import type { WrittenForms } from "./writtenForms.js";

/** A person who has typed more words asks a question, which no title completes. */
const mostWords = 16;

/** A word while it is typed. */
export interface TypedWord {
  /** What stands before it, as it was typed. */
  readonly before: string;
  /** The word as it was typed. */
  readonly text: string;
  /** Beginnings of words of the vocabulary that may complete it. */
  readonly beginnings: readonly string[];
}

/** A search while it is typed. */
export interface TypedText {
  /** The words, folded as in {@link TitleWords}. */
  readonly words: readonly string[];
  /** The last word as it was typed. */
  readonly last: string;
  /** True where the last word may go on. */
  readonly isOpen: boolean;
  /**
   * What may be completed: all that is written without blanks at the end (`anna.b`, `v1.`), then the last word of it;
   * none where they say too little.
   */
  readonly completed: readonly TypedWord[];
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
  const run = typedRun(query);
  const alone = isOpen ? toTyped(query, last.start, beginningsOf(last.text)) : null;
  return {
    words: words.map(({ folded }) => folded),
    last: last.text,
    isOpen,
    completed: [run, alone].flatMap((typed) => (typed === null || typed.beginnings.length === 0 ? [] : [typed])),
  };
}

const toTyped = (query: string, start: number, beginnings: readonly string[]): TypedWord => ({
  before: query.slice(0, start),
  text: query.slice(start),
  beginnings,
});

/** What a query writes without blanks at its end, of several words, or of one and what joins it to the next. */
function typedRun(query: string): TypedWord | null {
  const tokens = tokensWrittenLast(query);
  const [first] = tokens;
  if (first === undefined || (tokens.length === 1 && endsInWord(query))) return null;
  return toTyped(query, first.start, joinedSpellings(query, tokens).filter(canBeContinued));
}

const endsInWord = (query: string): boolean => classAt(query, query.length - 1) !== separator;

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
 * True where a word as it is written begins with another as far as it was typed: `mue`, `mül` and `mul` go on in
 * `Müller` and in `Mueller`, and `poe` does not in `Post`. What joins words is of no matter, but where it was typed
 * last: `annab` goes on in `Anna.Berg`, and `v1.` not in `v12`.
 */
function goesOn(typed: string, word: string): boolean {
  if (!endsInWord(typed)) return word.toLowerCase().startsWith(typed.toLowerCase());
  const spellings = looseSpellingsOf(withoutJoints(word));
  return spellingsOf(withoutJoints(typed)).some((beginning) =>
    spellings.some((spelling) => spelling.startsWith(beginning)),
  );
}

const withoutJoints = (written: string): string => written.replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, "");

/** What was typed, its last word completed by these words of the vocabulary as they are written; distinct. */
export function completionsAsWritten(
  { before, text }: TypedWord,
  words: readonly string[],
  forms: WrittenForms,
): readonly string[] {
  const written = words.flatMap((word) => forms.mostFrequent(word) ?? []);
  return [...new Set(written.filter((form) => goesOn(text, form) && !goesOn(form, text)).map((form) => before + form))];
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
