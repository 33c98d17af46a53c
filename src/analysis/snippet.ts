import type { QueryPhrase } from "./queryPhrases.js";
import { classAt, separator } from "./characters.js";
import { initialsOf } from "./initials.js";
import { writtenNamesOf } from "./joinedForms.js";
import { markdownMarksIn, withoutMarks } from "./markdownMarks.js";
import type { WrittenName } from "./writtenNumbers.js";
import type { Language } from "../shared/texts.js";
import type { TextRange } from "./nearness.js";
import { phraseMatchesOf, type PhraseMatch } from "./phraseMatches.js";
import { forEachToken } from "./tokens.js";
import { isJoinedTerm, joinedWordOf, surfaceOf } from "./words.js";

/** Roughly how many characters a passage has: about three lines. */
const usualLength = 260;

/** How far into a text is looked of which no passage is known: bounds the cost to a few milliseconds. */
const examinedCharacters = 100_000;

/** A phrase that begins in a passage may go on after it: so far. */
const phraseReach = 500;

/** How many places of phrases are compared. */
const mostPhrasePlaces = 100;

/** A repeated word adds this part of its weight: more of the same is worth little. */
const repetition = 0.1;

/** How far a passage may begin before its window, to begin with a sentence. */
const sentenceSlack = 80;

const longestUnbroken = 40;
/** A blank that carries a mark is a character of its own. */
const leadingBlank = /^ (?!\p{M})/u;

export interface SoughtWord {
  /** Any of these terms counts as the word. */
  readonly terms: readonly string[];
  /** What it is worth to find the word: its rarity. */
  readonly weight: number;
}

/** A document's text, or the part of it that its best passage is in. */
export interface PassageSource {
  readonly text: string;
  /** The best passage of a long text; left out: all of it. */
  readonly passage?: TextRange;
  /** The language that the document was analysed in. */
  readonly language: Language | null;
  /** What the document is: marks of Markdown are shown of source code alone. Left out: all marks are shown. */
  readonly mimeType?: string;
}

interface Match {
  readonly start: number;
  readonly end: number;
  readonly word: SoughtWord;
}

/**
 * Makes the function that cuts the most telling passage out of a text: one that shows a phrase of `phrases`, where one
 * is there, or else the one that holds the most and rarest words of the query, from the start of a sentence where one
 * is near; the start of the text where nothing matches. The passage is escaped for HTML, with matches in `<mark>`,
 * without marks of Markdown, white space as single blanks, and `…` where it was cut. It has roughly `length`
 * characters. Where a text has a passage, that one is examined; otherwise the first 100,000 characters are.
 */
export function snippetsAbout(
  words: readonly SoughtWord[],
  phrases: readonly QueryPhrase[] = [],
  length = usualLength,
): (source: PassageSource) => string {
  const sought = new Map(words.flatMap((word) => word.terms.map((term) => [term, word] as const)));
  const mayBegin = initialsOf([...sought.keys()]);
  const areRunsSought = [...sought.keys()].some(isJoinedTerm);
  const phraseMatches = phraseMatchesOf(phrases);
  const matchesIn = ({ text, language }: PassageSource, { start, end }: TextRange): Match[] => {
    const matches: Match[] = [];
    if (sought.size === 0) return matches;
    const runs = writtenNamesOf(text, (name) => markName(name, sought, matches));
    forEachToken(text, start, end, (from, to) => {
      if (areRunsSought) runs.see(from, to);
      if (!mayBegin(text, from)) return;
      const word = sought.get(surfaceOf(text.slice(from, to))?.word.termIn(language) ?? "");
      if (word !== undefined) matches.push({ start: from, end: to, word });
    });
    runs.end();
    return matches;
  };
  return (source) => {
    const { text, language } = source;
    const examined = examinedIn(source);
    const matches = matchesIn(source, examined);
    const found = phraseMatches(text, withReach(text, examined), language);
    const window = bestPhrase(found, matches, length) ?? bestWindow(matches, length);
    const passage = passageAround(text, window, examined.start, length);
    const { mimeType } = source;
    const marks = mimeType === undefined ? [] : markdownMarksIn(text, passage, mimeType);
    return render(text, passage, matchesIn(source, passage), marks);
  };
}

/** Takes in tokens that the text writes as one sought word (`Home-Office`), in place of those among them. */
function markName({ start, end, forms }: WrittenName, sought: ReadonlyMap<string, SoughtWord>, matches: Match[]): void {
  const form = forms.find((one) => sought.has(joinedWordOf(one).joinedTerm()));
  const word = form === undefined ? undefined : sought.get(joinedWordOf(form).joinedTerm());
  if (word === undefined) return;
  while ((matches.at(-1)?.start ?? -1) >= start) matches.pop();
  // One stretch of a number may begin within another.
  if ((matches.at(-1)?.end ?? 0) <= start) matches.push({ start, end, word });
}

/** Makes the function that tells whether one of these phrases stands in the passage of a text. */
export function showsPhraseOf(phrases: readonly QueryPhrase[]): (source: PassageSource) => boolean {
  const phraseMatches = phraseMatchesOf(phrases);
  return (source) => phraseMatches(source.text, withReach(source.text, examinedIn(source)), source.language).length > 0;
}

const examinedIn = ({ text, passage }: PassageSource): TextRange =>
  passage ?? { start: 0, end: Math.min(text.length, examinedCharacters) };

const withReach = (text: string, { start, end }: TextRange): TextRange => ({
  start,
  end: Math.min(text.length, end + phraseReach),
});

/** The phrase with most phrases and words around it, and the earliest of equals; null where there is none. */
function bestPhrase(found: readonly PhraseMatch[], matches: readonly Match[], length: number): TextRange | null {
  let best: PhraseMatch | null = null;
  let bestWorth = 0;
  // More than all words together.
  const worthOfPhrase = 1 + [...new Set(matches.map(({ word }) => word))].reduce((sum, { weight }) => sum + weight, 0);
  for (const match of found.slice(0, mostPhrasePlaces)) {
    const from = match.start - length / 2;
    const to = match.end + length / 2;
    const isNear = ({ start, end }: TextRange): boolean => start >= from && end <= to;
    const phrases = new Set(found.filter(isNear).map(({ phrase }) => phrase)).size;
    const words = new Set(matches.filter(isNear).map(({ word }) => word));
    const worth = phrases * worthOfPhrase + [...words].reduce((sum, { weight }) => sum + weight, 0);
    if (worth <= bestWorth + 1e-9) continue;
    [best, bestWorth] = [match, worth];
  }
  return best;
}

/** The window whose matches are worth most, and the earliest of equals; null where nothing matches. */
function bestWindow(matches: readonly Match[], length: number): TextRange | null {
  const inside = new Map<SoughtWord, number>();
  let best: TextRange | null = null;
  let bestWorth = 0;
  let worth = 0;
  let first = 0;
  for (const match of matches) {
    worth += gain(inside.get(match.word) ?? 0, match.word);
    inside.set(match.word, (inside.get(match.word) ?? 0) + 1);
    for (
      let oldest = matches[first] as Match;
      match.end - oldest.start > length && oldest !== match;
      oldest = matches[first] as Match
    ) {
      const left = (inside.get(oldest.word) ?? 1) - 1;
      inside.set(oldest.word, left);
      worth -= gain(left, oldest.word);
      first += 1;
    }
    if (worth <= bestWorth + 1e-9) continue;
    bestWorth = worth;
    best = { start: (matches[first] as Match).start, end: match.end };
  }
  return best;
}

const gain = (already: number, word: SoughtWord): number => (already === 0 ? word.weight : word.weight * repetition);

/**
 * Widens a window to about `length` characters (where there is none, the `first` ones), from the start of its sentence
 * or of a word to the end of a word.
 */
function passageAround(text: string, window: TextRange | null, first: number, length: number): TextRange {
  if (window === null) return { start: first, end: wordEnd(text, Math.min(text.length, first + length)) };
  const room = Math.max(0, length - (window.end - window.start));
  const earliest = Math.max(0, window.start - Math.max(Math.floor(room / 2), Math.min(room, sentenceSlack)));
  const ofSentence = sentenceStart(text, earliest, window.start);
  const start = graphemeStart(text, ofSentence ?? wordStart(text, Math.max(0, window.start - Math.floor(room / 2))));
  const end = wordEnd(text, Math.min(text.length, Math.max(window.end, start + length)));
  return { start, end };
}

/** The last start of a sentence or line between two places; null where there is none. */
function sentenceStart(text: string, from: number, to: number): number | null {
  if (from === 0) return 0;
  const found = [...text.slice(from, to).matchAll(/[.!?…]["”“»)]?\s+|\n\s*|[。！？]/gu)].at(-1);
  return found === undefined ? null : from + found.index + found[0].length;
}

/** Moves to the start of the word, unless it is so long that the passage would grow without bound. */
function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < longestUnbroken && isInsideWord(text, start)) start -= 1;
  return start;
}

function wordEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && end - at < longestUnbroken && isInsideWord(text, end)) end += 1;
  return graphemeEnd(text, end);
}

const isInsideWord = (text: string, at: number): boolean =>
  classAt(text, at - 1) !== separator && classAt(text, at) !== separator;

/** @param hidden what is not shown: it moves no match. */
function render(text: string, passage: TextRange, matches: readonly Match[], hidden: readonly TextRange[]): string {
  const shown = (start: number, end: number): string => toHtml(withoutMarks(text, start, end, hidden));
  let html = "";
  let at = passage.start;
  for (const match of matches) {
    const start = graphemeStart(text, match.start);
    const end = graphemeEnd(text, match.end);
    // In scripts without spaces neighbouring matches overlap: the second one marks only what the first left.
    const from = Math.max(start, at);
    if (from >= end) continue;
    html += `${shown(at, from)}<mark>${shown(from, end)}</mark>`;
    at = end;
  }
  html += shown(at, Math.max(at, passage.end));
  const before = text.slice(0, passage.start).trim() === "" ? "" : "…";
  const after = text.slice(passage.end, passage.end + longestUnbroken).trim() === "" ? "" : "…";
  return before + html.replaceAll("</mark><mark>", "").replace(leadingBlank, "").trimEnd() + after;
}

const escapes: Readonly<Record<string, string>> = {
  "<": "&lt;",
  ">": "&gt;",
  "&": "&amp;",
  '"': "&quot;",
  "'": "&#39;",
};

const toHtml = (text: string): string =>
  text.replace(/\s+/gu, " ").replace(/[<>&"']/g, (character) => escapes[character] ?? character);

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** What belongs to one character reaches hardly further than this, in UTF-16 units: bounds the cost in any text. */
const reach = 64;
/** Below, every unit is a character of its own. */
const firstMark = 0x300;
const carriageReturn = 0x0d;

/**
 * Where what people see as one character begins that this place lies in; the place itself where it lies between two.
 */
const graphemeStart = (text: string, at: number): number => borderNear(text, at, "start");

/** The same, where it ends. */
const graphemeEnd = (text: string, at: number): number => borderNear(text, at, "end");

function borderNear(text: string, at: number, border: "start" | "end"): number {
  if (at <= 0 || at >= text.length || isSurelyBorder(text, at)) return at;
  const from = Math.max(0, at - reach);
  const { index, segment } = segmenter.segment(text.slice(from, at + reach)).containing(at - from) as Intl.SegmentData;
  const start = from + index;
  return start === at || border === "start" ? start : start + segment.length;
}

const isSurelyBorder = (text: string, at: number): boolean =>
  text.charCodeAt(at) < firstMark && text.charCodeAt(at - 1) < firstMark && text.charCodeAt(at - 1) !== carriageReturn;
