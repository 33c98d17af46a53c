import { detectLanguage } from "./analyseDocument.js";
import type { Language } from "./language.js";
import { isStopWord } from "./stopWords.js";
import { forEachToken } from "./tokens.js";
import { surfaceOf, termsOf, wordOf } from "./words.js";

const longestQuery = 10_000;
const mostWords = 64;
const mostPhrases = 16;

/** A word that may match. */
export interface QueryWord {
  /** Folded, as typed: what to look for in the vocabulary. */
  readonly word: string;
  /** Its terms, one per language that it may be said in, without those in which it is a stop word. Any of them counts. */
  readonly terms: readonly string[];
  /** The last word of a query that goes on: words of the vocabulary that begin with it count as well. */
  readonly isPrefix: boolean;
  /** Which of the query's tokens it is, stop words and repeated words counted. */
  readonly position: number;
}

/** Adjacent terms: one sequence per language; a document matches with any of them. */
export interface QueryPhrase {
  readonly sequences: readonly (readonly string[])[];
}

/** A query as both engines run it. */
export interface AnalysedQuery {
  /** null where it cannot be told, which is usual for a word or two. */
  readonly language: Language | null;
  /** Any of these may match, distinct, in the order typed; the words of `phrases` are among them. At most 64. */
  readonly words: readonly QueryWord[];
  /** In quotes: each must be found. */
  readonly phrases: readonly QueryPhrase[];
  /** Parts of one written word (`foo_bar`, `v1.2.3`): neighbours count extra, none is required. */
  readonly compounds: readonly QueryPhrase[];
  /** `-word`, `-"a phrase"`: none may be found. */
  readonly excluded: readonly QueryPhrase[];
}

/** Reads a query as people type it. Accepts any text; one that holds no word gives an empty query, which matches nothing. */
export function analyseQuery(query: string): AnalysedQuery {
  const parts = [...partsOf(query.slice(0, longestQuery))];
  const wanted = parts.filter((part) => !part.isExcluded);
  const language = detectLanguage(wanted.map((part) => part.text).join(" "));
  const tokens = wanted.flatMap((part) => wordsIn(part.text));
  const prefix = endsInWord(query, parts.at(-1)) ? tokens.length - 1 : null;
  const typed = tokens.map((word, position) => ({ word, position, isPrefix: position === prefix }));
  return {
    language,
    words: withoutStopWords(distinct(typed), language),
    phrases: phrasesOf(wanted.filter((part) => part.isQuoted)),
    compounds: phrasesOf(wanted.filter((part) => !part.isQuoted)).filter((phrase) => (phrase.sequences[0]?.length ?? 0) > 1),
    excluded: phrasesOf(parts.filter((part) => part.isExcluded)),
  };
}

interface QueryPart {
  readonly text: string;
  readonly isQuoted: boolean;
  readonly isExcluded: boolean;
}

const partPattern = /(?<![^\s"„“”«»])(-?)(?:"([^"]*)"|„([^“”"]*)[“”"]|“([^“”"]*)[“”]|«([^»]*)»|([^\s"„“”«»]+))|["„“”«»]+/gu;

/** Splits at blanks outside quotes. A quote that is never closed is no quote. */
function* partsOf(query: string): Generator<QueryPart> {
  for (const [, minus, ...texts] of query.matchAll(partPattern)) {
    const text = texts.find((found) => found !== undefined);
    if (text === undefined) continue;
    yield { text, isQuoted: texts[4] === undefined, isExcluded: minus === "-" };
  }
}

/** The last character of an unspaced run stands alone in documents only: a query's pairs say it already. */
function wordsIn(text: string): string[] {
  const words: string[] = [];
  let previousEnd = -1;
  forEachToken(text, 0, text.length, (start, end) => {
    if (end === previousEnd) return;
    previousEnd = end;
    const surface = surfaceOf(text.slice(start, end));
    if (surface !== null) words.push(surface.word.text);
  });
  return words;
}

function endsInWord(query: string, last: QueryPart | undefined): boolean {
  if (last === undefined || last.isQuoted || last.isExcluded) return false;
  let end = -1;
  forEachToken(last.text, 0, last.text.length, (_start, tokenEnd) => {
    end = tokenEnd;
  });
  return end === last.text.length && query.endsWith(last.text);
}

type TypedWord = Pick<QueryWord, "word" | "isPrefix" | "position">;

/** Repeated words count once; the end of a long query is left out. */
function distinct(words: readonly TypedWord[]): TypedWord[] {
  const known = new Map<string, TypedWord>();
  for (const typed of words) {
    const before = known.get(typed.word);
    known.set(typed.word, before === undefined ? typed : { ...before, isPrefix: typed.isPrefix });
  }
  return [...known.values()].slice(0, mostWords);
}

function withoutStopWords(words: readonly TypedWord[], language: Language | null): QueryWord[] {
  const kept = words
    .map((typed) => ({ ...typed, terms: tellingTerms(typed, language) }))
    .filter((typed) => typed.terms.length > 0);
  return kept.length > 0 ? kept : words.map((typed) => ({ ...typed, terms: termsOf(typed.word) }));
}

/** The terms of a word in the languages in which it says something. In a question whose language is known, only that one decides. */
function tellingTerms({ word }: TypedWord, language: Language | null): readonly string[] {
  const inGerman = isStopWord(word, "de");
  const inEnglish = isStopWord(word, "en");
  if (!inGerman && !inEnglish) return termsOf(word);
  if (inGerman && inEnglish) return [];
  if (language === (inGerman ? "de" : "en")) return [];
  return [wordOf(word).termIn(inGerman ? "en" : "de")];
}

function phrasesOf(parts: readonly QueryPart[]): QueryPhrase[] {
  return parts
    .map((part) => ({ sequences: sequencesOf(wordsIn(part.text).slice(0, mostWords)) }))
    .filter((phrase) => phrase.sequences.length > 0)
    .slice(0, mostPhrases);
}

function sequencesOf(words: readonly string[]): string[][] {
  if (words.length === 0) return [];
  const sequences = ([null, "de", "en"] as const).map((language) => words.map((word) => wordOf(word).termIn(language)));
  return [...new Map(sequences.map((sequence) => [sequence.join(" "), sequence])).values()];
}
