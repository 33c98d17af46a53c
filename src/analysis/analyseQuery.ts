import { isUnspaced, isUnspacedCharacter } from "./characters.js";
import {
  areCapitalsMeant,
  isByCapitals,
  isIdentifier,
  isInCapitals,
  withAccountsJoined,
  type WrittenRun,
} from "./joinedForms.js";
import type { Language } from "../shared/texts.js";
import { languageAskedIn, languageBy } from "./languageEvidence.js";
import { queryBounds } from "./queryBounds.js";
import { excludedIn, longestQuery, mayExclude, partsOf, type QueryPart } from "./queryParts.js";
import { demandedIn, excludedBy, neighboursIn, boundedPhrases, type QueryPhrase } from "./queryPhrases.js";
import { numbersIn, runsIn, termsOfForm, tokensIn, type QueryToken } from "./queryTokens.js";
import { isStopWord } from "./stopWords.js";
import { forEachToken } from "./tokens.js";
import { wordOf, type Surface, type Word } from "./words.js";
import type { WrittenName } from "./writtenNumbers.js";

/** A person who asks in more words writes none of them apart by chance. */
const mostNeighbours = 4;

/** How many names count, and of how many tokens together: each is looked for in all of its parts. */
const mostNames = 16;

const mostNamedTokens = 48;
/** How many hyphenated words are read as one, too. */
const mostHyphenated = 16;

/** How many stretches of numbers are. */
const mostNumbers = 24;

/** A stop word in capitals is meant where a query has no more words. */
const mostWordsWithCapitals = 2;

/** Shorter words that follow each other are hardly ever one. */
const shortestNeighbour = 2;

/** A word that may match. */
export interface QueryWord {
  /** Folded, as typed: what to look for in the vocabulary. */
  readonly word: string;
  /** The word as typed: it is shown to the person who asks. */
  readonly typed: string;
  /** Its terms, one for each language in which it is not a stop word. Any of them counts. */
  readonly terms: readonly string[];
  /**
   * True for the last word of a query that is still being typed: words of the vocabulary that begin with it count as
   * well.
   */
  readonly isPrefix: boolean;
  /** Its place among the query's tokens, stop words and repeated words included. */
  readonly position: number;
  /** Stands in straight quotes: nothing else counts as this word. */
  readonly isLiteral: boolean;
  /** Stands only in {@link AnalysedQuery.names}: by itself it says too little. */
  readonly isPartOfName: boolean;
  /** Goes on with a number that an earlier word begins: they are one word of the query. */
  readonly isPartOfNumber?: true;
}

/** What is written as one of several tokens: `retryBackoff`, `foo_bar`, `INC-20411`, `C++`, an amount, an IBAN. */
export interface QueryName extends Omit<QueryWord, "isPartOfName"> {
  /** A document that holds all of these holds the name too, only less surely. Empty: that would say nothing. */
  readonly parts: readonly QueryWord[];
  /** Words that are asked for in it alone, and say something where nothing holds the name: it may be misspelled. */
  readonly loose: readonly QueryWord[];
}

/** A query as both engines run it. */
export interface AnalysedQuery {
  /** null where it cannot be told, as is usual for a word or two. */
  readonly language: Language | null;
  /** The same where it can be told for sure: documents in it are preferred. */
  readonly askedIn: Language | null;
  /** Any of these may match. They are distinct, in the order typed, at most 64, and include the words of `phrases`. */
  readonly words: readonly QueryWord[];
  /** How many further words a long query holds, which tell less: they are not looked for. */
  readonly wordsLeftOut: number;
  readonly names: readonly QueryName[];
  /** Neighbouring words, read as one: `Home Office` as `Homeoffice`. They count where documents hold them. */
  readonly joined: readonly QueryWord[];
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
 * Reads a query as people type it. Where there are more words than count, it takes those that tell most; of other parts
 * beyond {@link queryBounds} it takes the first. Any text is accepted; a text that holds no word gives an empty query,
 * which matches nothing.
 */
export function analyseQuery(query: string): AnalysedQuery {
  const parts = partsOf(withAccountsJoined(query.slice(0, longestQuery)));
  const wanted = parts.filter((part) => !part.isExcluded);
  const typed = typedIn(wanted, endsInWord(query, parts.at(-1)));
  const numbers = numbersAmong(wanted, typed);
  const telling = withoutStopWords(distinct(typed));
  const words = mostTelling(telling).map((word) =>
    numbers.goingOn.has(word.position) ? { ...word, isPartOfNumber: true as const } : word,
  );
  const surfaces = typed.map(({ surface }) => surface);
  return {
    language: languageBy(surfaces),
    askedIn: languageAskedIn(surfaces),
    words,
    wordsLeftOut: telling.length - words.length,
    names: namesIn(typed, words),
    joined: [...joinedIn(typed), ...numbers.words],
    phrases: boundedPhrases(wanted.filter((part) => part.isQuoted).map(({ text }) => demandedIn(text))),
    compounds: boundedPhrases(wanted.filter((part) => !part.isQuoted).map(({ text }) => [neighboursIn(text)])).filter(
      (phrase) => (phrase.sequences[0]?.length ?? 0) > 1,
    ),
    excluded: boundedPhrases(parts.filter((part) => part.isExcluded).map(({ text }) => [excludedBy(text)])),
  };
}

/** What of a query people are told: what it was not read as. */
interface QueryToldOf {
  /** What none of the results holds, as it was typed; left out: nothing. */
  readonly excluded?: readonly string[];
  /** How many words of a long query were not looked for; left out: none. */
  readonly wordsLeftOut?: number;
}

/** Shorter queries hold no more words than count. */
const shortestWithTooMany = 128;

/** What people are told of how a query was read. */
export function toldOf(query: string): QueryToldOf {
  const excluded = mayExclude(query) ? excludedIn(query) : [];
  const wordsLeftOut = query.length < shortestWithTooMany ? 0 : analyseQuery(query).wordsLeftOut;
  return { ...(excluded.length > 0 && { excluded }), ...(wordsLeftOut > 0 && { wordsLeftOut }) };
}

/** A token of the query, in its place. */
interface TypedToken extends QueryToken {
  readonly position: number;
  readonly isPrefix: boolean;
  readonly isLiteral: boolean;
  /** The run that it is written in without blanks; null where it stands alone. */
  readonly run: WrittenRun | null;
  readonly isPartOfName: boolean;
}

function typedIn(parts: readonly QueryPart[], isBeingTyped: boolean): readonly TypedToken[] {
  const tokens = parts.flatMap((part) => {
    const runs = part.isQuoted ? null : runsIn(part.text);
    return tokensIn(part.text).map((token) => ({
      ...token,
      isLiteral: part.isQuoted,
      run: runs?.get(token.start) ?? null,
    }));
  });
  const meant = areCapitalsMeant(tokens.map(({ typed }) => typed)) ? tokens : tokens.map(withoutCapitals);
  const named = namedIn(meant.flatMap(({ run }) => run ?? []));
  return meant.map((token, position) => ({
    ...token,
    position,
    isPrefix: (isBeingTyped && position === tokens.length - 1) || isPairBegun(token.surface),
    isPartOfName: token.run !== null && named.has(token.run),
  }));
}

const withoutCapitals = <Token extends Pick<TypedToken, "run">>(token: Token): Token =>
  token.run?.forms.some(isByCapitals) === true ? { ...token, run: null } : token;

/** The runs that count as names: the words of further ones count by themselves. */
function namedIn(runs: readonly WrittenRun[]): ReadonlySet<WrittenRun> {
  const forms = new Set<string>();
  let tokens = 0;
  const isTaken = ({ isName, forms: [form = ""], tokens: { length } }: WrittenRun): boolean => {
    if (!isName || forms.has(form)) return isName;
    if (forms.size >= mostNames || tokens + length > mostNamedTokens) return false;
    forms.add(form);
    tokens += length;
    return true;
  };
  return new Set([...new Set(runs)].filter(isTaken));
}

/** A single character of a script without spaces: in documents it starts a pair. */
const isPairBegun = ({ word: { text } }: Surface): boolean => isUnspacedCharacter(text);

function endsInWord(query: string, last: QueryPart | undefined): boolean {
  if (last === undefined || last.isQuoted || last.isExcluded) return false;
  let end = -1;
  forEachToken(last.text, 0, last.text.length, (_start, tokenEnd) => {
    end = tokenEnd;
  });
  return end === last.text.length && query.endsWith(last.text.slice(-1));
}

/** Repeated words count once. */
function distinct(typed: readonly TypedToken[]): readonly TypedToken[] {
  const known = new Map<string, TypedToken>();
  for (const token of typed) {
    const { text } = token.surface.word;
    const before = known.get(text);
    const isPartOfName = token.isPartOfName && before?.isPartOfName !== false;
    known.set(text, { ...(before ?? token), isPrefix: token.isPrefix, isPartOfName });
  }
  return [...known.values()];
}

/** Longer words say no more by being longer. */
const tellingLetters = 12;

/** The words that count, in their order. Words of names and with digits are taken first, then the longest. */
function mostTelling(words: readonly QueryWord[]): readonly QueryWord[] {
  if (words.length <= queryBounds.words) return words;
  const telling = ({ word, isPartOfName }: QueryWord): number =>
    Math.min(word.length, tellingLetters) + (isPartOfName || /\d/.test(word) ? 1 : 0);
  return words
    .toSorted((a, b) => telling(b) - telling(a) || a.position - b.position)
    .slice(0, queryBounds.words)
    .toSorted((a, b) => a.position - b.position);
}

/** A stop word goes only where another word says something, or where it is one of two words, and in capitals. */
function withoutStopWords(typed: readonly TypedToken[]): QueryWord[] {
  if (typed.every(({ surface }) => isStopWord(surface.word.text, "de") || isStopWord(surface.word.text, "en")))
    return typed.map((token) => toQueryWord(token, token.surface.word.terms()));
  return typed
    .map((token) => toQueryWord(token, isMeant(token, typed) ? token.surface.word.terms() : tellingTerms(token, typed)))
    .filter(({ terms }) => terms.length > 0);
}

const isMeant = ({ typed }: TypedToken, all: readonly TypedToken[]): boolean =>
  all.length <= mostWordsWithCapitals && isInCapitals(typed);

const toQueryWord = (
  { surface, typed, isPrefix, position, isLiteral, isPartOfName }: TypedToken,
  terms: readonly string[],
): QueryWord => ({ word: surface.word.text, typed, terms, isPrefix, position, isLiteral, isPartOfName });

/**
 * The terms of a word in the languages in which it says something. Where the other words are of one language, that
 * language decides.
 */
function tellingTerms({ surface }: TypedToken, typed: readonly TypedToken[]): readonly string[] {
  const { word } = surface;
  const inGerman = isStopWord(word.text, "de");
  const inEnglish = isStopWord(word.text, "en");
  if (!inGerman && !inEnglish) return word.terms();
  if (inGerman && inEnglish) return [];
  const others = typed.filter((other) => other.surface !== surface).map((other) => other.surface);
  if (languageBy(others) === (inGerman ? "de" : "en")) return [];
  return [word.termIn(inGerman ? "en" : "de")];
}

function namesIn(typed: readonly TypedToken[], words: readonly QueryWord[]): readonly QueryName[] {
  const names = new Map<string, QueryName>();
  for (const [run, tokens] of tokensByRun(typed.filter(({ isPartOfName }) => isPartOfName))) {
    const [first] = tokens;
    const [word = ""] = run.forms;
    if (first === undefined) continue;
    const isPrefix = tokens.at(-1)?.isPrefix === true;
    const { position, isLiteral } = first;
    const terms = [...new Set(run.forms.flatMap(termsOfForm))];
    const written = words.filter((part) => tokens.some(({ surface }) => surface.word.text === part.word));
    const isPlain = run.tokens.length === 1 && run.forms.includes(written[0]?.word ?? "");
    const parts = run.isNumber || isPlain ? [] : written;
    const loose = isIdentifier(run.text) ? [] : written.filter(({ isPartOfName }) => isPartOfName);
    names.set(word, { word, typed: run.text, terms, isPrefix, position, isLiteral, parts, loose });
  }
  return [...names.values()];
}

function tokensByRun(typed: readonly TypedToken[]): ReadonlyMap<WrittenRun, readonly TypedToken[]> {
  const byRun = new Map<WrittenRun, TypedToken[]>();
  for (const token of typed) if (token.run !== null) byRun.set(token.run, [...(byRun.get(token.run) ?? []), token]);
  return byRun;
}

/** A hyphenated word as one, and words of letters that follow each other, as far as they may be parts of words. */
function joinedIn(typed: readonly TypedToken[]): readonly QueryWord[] {
  const joined = new Map<string, QueryWord>();
  const mayBeNeighbours = typed.length <= mostNeighbours;
  const add = (token: TypedToken, word: string, typedAs: string, terms = wordOf(word).terms()): void => {
    const { position, isLiteral } = token;
    joined.set(word, { word, typed: typedAs, terms, isPrefix: false, position, isLiteral, isPartOfName: false });
  };
  typed.forEach((token, index) => {
    const { run } = token;
    if (run !== null && beginsHyphenated(token) && joined.size < mostHyphenated)
      for (const form of run.forms) add(token, form, run.text);
    const next = typed[index + 1];
    if (!mayBeNeighbours || next === undefined || (run !== null && run === next.run)) return;
    const together = token.surface.word.text + next.surface.word.text;
    const terms = mayBeOne(token, next) ? termsTogether(token, next, wordOf(together)) : [];
    if (terms.length > 0) add(token, together, `${token.typed} ${next.typed}`, terms);
  });
  return [...joined.values()];
}

interface NumbersOfQuery {
  readonly words: readonly QueryWord[];
  /** Positions of tokens that are not the first of a number. */
  readonly goingOn: ReadonlySet<number>;
}

/**
 * Numbers as one word, however they are grouped and whatever stands between them: a unit, blanks, the name of a month.
 */
function numbersAmong(parts: readonly QueryPart[], typed: readonly TypedToken[]): NumbersOfQuery {
  const text = parts.flatMap((part) => (part.isQuoted ? [] : [part.text])).join(" ");
  const numbers = numbersIn(text).slice(0, mostNumbers);
  if (numbers.length === 0) return { words: [], goingOn: new Set() };
  const tokens = typed.filter(({ isLiteral }) => !isLiteral);
  const starts = tokensIn(text).map(({ start }) => start);
  const positionsIn = ({ start, end }: WrittenName): readonly number[] =>
    starts.flatMap((at, index) => (at >= start && at < end ? [tokens[index]?.position ?? 0] : []));
  const toWords = (number: WrittenName): readonly QueryWord[] =>
    number.forms.map((word) => ({
      ...{ word, typed: number.text, terms: termsOfForm(word), position: positionsIn(number)[0] ?? 0 },
      ...{ isPrefix: false, isLiteral: false, isPartOfName: false },
    }));
  return {
    words: [...new Map(numbers.flatMap(toWords).map((word) => [word.word, word])).values()],
    goingOn: new Set(numbers.flatMap((number) => positionsIn(number).slice(1))),
  };
}

const beginsHyphenated = ({ run, start }: TypedToken): boolean =>
  run?.isName === false && run.tokens[0]?.start === start;

const letters = /^\p{L}+$/u;

function isNeighbour({ surface, isLiteral, isPartOfName }: TypedToken): boolean {
  const { text } = surface.word;
  if (isLiteral || isPartOfName || text.length < shortestNeighbour || !letters.test(text)) return false;
  return !isUnspaced(text);
}

const number = /^\d+$/;

/** Two words of letters, or a name and its number (`ISO 9001`, `Windows 11`). */
const mayBeOne = (first: TypedToken, next: TypedToken): boolean =>
  isNeighbour(first) && (isNeighbour(next) || (!next.isLiteral && !next.isPartOfName && number.test(next.typed)));

/** Stop words that English makes nouns with (`backup`, `overtime`). */
const particles = new Set("down in off on out over under up".split(" "));

/** In the languages in which both may be parts of a word: no stop words, but such as `up`. */
function termsTogether(first: TypedToken, second: TypedToken, word: Word): readonly string[] {
  const texts = [first, second].map(({ surface }) => surface.word.text);
  const inGerman = !texts.some((text) => isStopWord(text, "de"));
  const inEnglish = !texts.some((text) => isStopWord(text, "en") && !particles.has(text));
  if (!inGerman && !inEnglish) return [];
  const said = [...(inGerman ? [word.termIn("de")] : []), ...(inEnglish ? [word.termIn("en")] : [])];
  return [...new Set([...said, word.termIn(null), word.joinedTerm()])];
}
