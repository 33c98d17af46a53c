import { classAt, lengthAt, unspaced } from "./characters.js";
import type { Language } from "./language.js";
import { languageAskedIn, languageBy } from "./languageEvidence.js";
import { isStopWord } from "./stopWords.js";
import { forEachToken } from "./tokens.js";
import { type Surface, surfaceOf, type Word } from "./words.js";

const longestQuery = 10_000;
const mostWords = 64;
const mostPhrases = 16;

/** How much of each a query may hold: every word is looked up, and every phrase is looked for in each candidate. */
export const queryBounds = {
  /** Different words, stop words included, without those that are excluded. */
  words: mostWords,
  phrases: mostPhrases,
  /** Excluded words and phrases. */
  exclusions: mostPhrases,
  phraseWords: mostWords,
} as const;

/** What a query holds too much of. */
export interface QueryExcess {
  readonly of: keyof typeof queryBounds;
  readonly found: number;
}

/** No shorter query can hold too much: 17 exclusions of a letter each. */
const shortestExcess = 50;

/**
 * What {@link analyseQuery} would have to leave out of a query; null where all of it counts. To be asked first: a query
 * that is cut in silence finds what was excluded.
 */
export function excessOf(query: string): QueryExcess | null {
  if (query.length < shortestExcess) return null;
  const parts = [...partsOf(query)];
  const sequenceLengths = (kept: readonly QueryPart[]): readonly number[] =>
    kept.map(({ text }) => sequenceIn(text).length).filter((length) => length > 0);
  const wanted = parts.filter((part) => !part.isExcluded);
  const quoted = sequenceLengths(wanted.filter((part) => part.isQuoted));
  const excluded = sequenceLengths(parts.filter((part) => part.isExcluded));
  const found = {
    words: new Set(wanted.flatMap(({ text }) => wordsIn(text).map(({ word }) => word.text))).size,
    phrases: quoted.length,
    exclusions: excluded.length,
    phraseWords: Math.max(0, ...quoted, ...excluded),
  };
  const kinds = Object.keys(found) as (keyof typeof found)[];
  const of = kinds.find((kind) => found[kind] > queryBounds[kind]);
  return of === undefined ? null : { of, found: found[of] };
}

/** A word that may match. */
export interface QueryWord {
  /** Folded, as typed: what to look for in the vocabulary. */
  readonly word: string;
  /** Its terms, one for each language in which it is not a stop word. Any of them counts. */
  readonly terms: readonly string[];
  /**
   * True for the last word of a query that is still being typed: words of the vocabulary that begin with it count as
   * well.
   */
  readonly isPrefix: boolean;
  /** Its place among the query's tokens, stop words and repeated words included. */
  readonly position: number;
}

/** Adjacent terms, one sequence per language. A document matches with any of the sequences. */
export interface QueryPhrase {
  readonly sequences: readonly (readonly string[])[];
}

/** A query as both engines run it. */
export interface AnalysedQuery {
  /** null where it cannot be told, as is usual for a word or two. */
  readonly language: Language | null;
  /** The same where it can be told for sure: documents in it are preferred. */
  readonly askedIn: Language | null;
  /** Any of these may match. They are distinct, in the order typed, at most 64, and include the words of `phrases`. */
  readonly words: readonly QueryWord[];
  /** Phrases in straight quotes: each must be found. */
  readonly phrases: readonly QueryPhrase[];
  /**
   * Parts of one written word (`foo_bar`, `v1.2.3`) and words in typographic quotes. They count extra as neighbours;
   * none is required.
   */
  readonly compounds: readonly QueryPhrase[];
  /** `-word` and `-"a phrase"`: none may be found. */
  readonly excluded: readonly QueryPhrase[];
}

/**
 * Reads a query as people type it. Of what is beyond {@link queryBounds} it takes the beginning. Accepts any text; one that holds no word gives an empty query, which matches
 * nothing.
 */
export function analyseQuery(query: string): AnalysedQuery {
  const parts = [...partsOf(query.slice(0, longestQuery))];
  const wanted = parts.filter((part) => !part.isExcluded);
  const tokens = wanted.flatMap((part) => wordsIn(part.text));
  const beingTyped = endsInWord(query, parts.at(-1)) ? tokens.length - 1 : null;
  const typed = distinct(
    tokens.map((surface, position) => ({
      surface,
      position,
      isPrefix: position === beingTyped || isSinglePair(surface),
    })),
  );
  return {
    language: languageBy(tokens),
    askedIn: languageAskedIn(tokens),
    words: withoutStopWords(typed),
    phrases: phrasesOf(wanted.filter((part) => part.isQuoted)),
    compounds: phrasesOf(wanted.filter((part) => !part.isQuoted)).filter(
      (phrase) => (phrase.sequences[0]?.length ?? 0) > 1,
    ),
    excluded: phrasesOf(parts.filter((part) => part.isExcluded)),
  };
}

interface QueryPart {
  readonly text: string;
  readonly isQuoted: boolean;
  readonly isExcluded: boolean;
}

const partPattern =
  /((?<!\S)-)?(?:"([^"]*)"|[„“”]([^„“”"]*)[“”]|«([^«»"]*)»|(?<=(?<!\S)-)["„“”«]([^"„“”«»]*)$|([^\s"„“”«»]+))/gu;

/**
 * Splits at blanks outside quotes. Straight quotes ask for a phrase. Typographic quotes come with prose: they keep
 * their words together and require nothing. A quote that is never closed is no quote, but
 * where it would exclude: what was to be left out must not be found.
 */
function* partsOf(query: string): Generator<QueryPart> {
  for (const [, minus, quoted, ...others] of query.matchAll(partPattern)) {
    const text = quoted ?? others.find((found) => found !== undefined) ?? "";
    yield { text, isQuoted: quoted !== undefined, isExcluded: minus !== undefined };
  }
}

/** Only in documents does the last character of an unspaced run stand alone: a query's pairs hold it already. */
function wordsIn(text: string): Surface[] {
  const words: Surface[] = [];
  let previousEnd = -1;
  forEachToken(text, 0, text.length, (start, end) => {
    if (end !== previousEnd) words.push(...surfaces(text.slice(start, end)));
    previousEnd = end;
  });
  return words;
}

/** The sequence that documents hold, except at its end: there a run may go on in the document. */
function sequenceIn(text: string): Word[] {
  const words: Word[] = [];
  let previousEnd = -1;
  let repeatsLast = false;
  forEachToken(text, 0, text.length, (start, end) => {
    repeatsLast = end === previousEnd;
    previousEnd = end;
    words.push(...surfaces(text.slice(start, end)).map((surface) => surface.word));
  });
  return repeatsLast ? words.slice(0, -1) : words;
}

function surfaces(token: string): Surface[] {
  const surface = surfaceOf(token);
  return surface === null ? [] : [surface];
}

/** A single character of a script without spaces: in documents it starts a pair. */
const isSinglePair = ({ word: { text } }: Surface): boolean =>
  classAt(text, 0) === unspaced && text.length === lengthAt(text, 0);

function endsInWord(query: string, last: QueryPart | undefined): boolean {
  if (last === undefined || last.isQuoted || last.isExcluded) return false;
  let end = -1;
  forEachToken(last.text, 0, last.text.length, (_start, tokenEnd) => {
    end = tokenEnd;
  });
  return end === last.text.length && query.endsWith(last.text);
}

interface TypedWord {
  readonly surface: Surface;
  readonly isPrefix: boolean;
  readonly position: number;
}

/** Repeated words count once, and the end of a long query is left out. */
function distinct(typed: readonly TypedWord[]): TypedWord[] {
  const known = new Map<string, TypedWord>();
  for (const word of typed) {
    const before = known.get(word.surface.word.text);
    known.set(word.surface.word.text, before === undefined ? word : { ...before, isPrefix: word.isPrefix });
  }
  return [...known.values()].slice(0, mostWords);
}

/** A stop word goes only where another word says something. */
function withoutStopWords(typed: readonly TypedWord[]): QueryWord[] {
  if (typed.every(({ surface }) => isStopWord(surface.word.text, "de") || isStopWord(surface.word.text, "en"))) {
    return typed.map((word) => toQueryWord(word, word.surface.word.terms()));
  }
  return typed.map((word) => toQueryWord(word, tellingTerms(word, typed))).filter(({ terms }) => terms.length > 0);
}

const toQueryWord = ({ surface, isPrefix, position }: TypedWord, terms: readonly string[]): QueryWord => ({
  word: surface.word.text,
  terms,
  isPrefix,
  position,
});

/**
 * The terms of a word in the languages in which it says something. Where the other words are of one language, that
 * language decides.
 */
function tellingTerms({ surface }: TypedWord, typed: readonly TypedWord[]): readonly string[] {
  const { word } = surface;
  const inGerman = isStopWord(word.text, "de");
  const inEnglish = isStopWord(word.text, "en");
  if (!inGerman && !inEnglish) return word.terms();
  if (inGerman && inEnglish) return [];
  const others = typed.filter((other) => other.surface !== surface).map((other) => other.surface);
  if (languageBy(others) === (inGerman ? "de" : "en")) return [];
  return [word.termIn(inGerman ? "en" : "de")];
}

function phrasesOf(parts: readonly QueryPart[]): QueryPhrase[] {
  return parts
    .map((part) => ({ sequences: sequencesOf(sequenceIn(part.text).slice(0, mostWords)) }))
    .filter((phrase) => phrase.sequences.length > 0)
    .slice(0, mostPhrases);
}

function sequencesOf(words: readonly Word[]): string[][] {
  if (words.length === 0) return [];
  const sequences = ([null, "de", "en"] as const).map((language) => words.map((word) => word.termIn(language)));
  return [...new Map(sequences.map((sequence) => [sequence.join(" "), sequence])).values()];
}
