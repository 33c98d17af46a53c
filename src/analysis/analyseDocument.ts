import { isUnspaced } from "./characters.js";
import type { Language } from "../shared/texts.js";
import { languageBy, noEvidence } from "./languageEvidence.js";
import { longestWhole, titleWeight } from "./rankingRules.js";
import { addSurfaces, characterWordOf, type Surface, type Word } from "./words.js";
import { passageRangesOf } from "./passageBorders.js";
import { PassagePages } from "./passagePages.js";

/**
 * Which analysis made an index. Raise it with every change that gives a document other terms, other words, another
 * language or its title other words: an index of another version is rebuilt from the log. A test compares a
 * fingerprint, so that no change goes unnoticed.
 */
export const analysisVersion = 11;

/** What the terms of a document are made of. */
export interface DocumentText {
  readonly title: string;
  /** The body first, then the values of searchable properties. */
  readonly texts: readonly string[];
  /** The folders that it is in: they say where it is, and not how much it says. Left out: none. */
  readonly folders?: string | undefined;
}

/** A document as the index holds it. */
export interface AnalysedDocument {
  /** null: neither language was recognised, so words are only folded. */
  readonly language: Language | null;
  /** Words in their order, and then what the title writes as one of several words. */
  readonly title: readonly Word[];
  /**
   * Like {@link title}: the words of all texts, one text after the other, and of the folders; at last each character of
   * a script without spaces, by which a query excludes words of one character.
   */
  readonly body: readonly Word[];
  /** Number of terms, without those of the folders and of single characters. */
  readonly titleLength: number;
  readonly bodyLength: number;
  /** The distinct folded words as written, for the vocabulary. */
  readonly words: readonly Word[];
  /** Which passages hold which terms: the pages of `passageIndexOf`. None where the document is scored as a whole. */
  readonly passages: readonly Uint8Array[];
}

/** This many characters surely hold the words by which the language is told. */
const headLength = 4_000;

/** The language of a text, told by its first words: see {@link languageBy}. */
export function detectLanguage(text: string): Language | null {
  const surfaces: Surface[] = [];
  addSurfaces(text.slice(0, headLength), surfaces);
  return languageBy(surfaces);
}

let collections = 0;

/** Turns a document into words, and tells its language by its title and first words. Accepts any text. */
export function analyseDocument(document: DocumentText): AnalysedDocument {
  const surfaces: Surface[] = [];
  addTogether([document.title], surfaces);
  const titleLength = surfaces.length;
  addTogether(document.texts, surfaces);
  const bodyLength = surfaces.length - titleLength;
  addTogether([document.folders ?? ""], surfaces);
  const language = languageBy(surfaces);
  const words = distinctWords(surfaces);
  const passages = surfaces.length > longestWhole ? [...passageIndexOf(document, language)] : [];
  const inOrder = surfaces.map(({ word }) => word);
  for (const word of charactersOf(words)) inOrder.push(word);
  const [title, body] = [inOrder.slice(0, titleLength), inOrder.slice(titleLength)];
  return { language, title, body, titleLength, bodyLength, words, passages };
}

/** Adds the surfaces of these texts, in order, and after them what they write as one of several words. */
function addTogether(texts: readonly string[], surfaces: Surface[]): void {
  const joined = new Set<Word>();
  for (const text of texts) addSurfaces(text, surfaces, joined);
  for (const word of joined) surfaces.push({ word, evidence: noEvidence });
}

/** Each character of scripts without spaces starts a word: a pair, or itself. */
const charactersOf = (words: readonly Word[]): ReadonlySet<Word> =>
  new Set(words.flatMap(({ text }) => (isUnspaced(text) ? [characterWordOf(text)] : [])));

/** Each once. */
function distinctWords(surfaces: readonly Surface[]): readonly Word[] {
  collections += 1;
  const words: Word[] = [];
  for (const { word } of surfaces) {
    if (word.collectedBy === collections) continue;
    word.collectedBy = collections;
    words.push(word);
  }
  return words;
}

/** Passages that follow each other are scored as one where they are short: up to about this many words. */
const usualWords = 200;

const mostWords = 300;
const mostCharacters = 5_000;

/**
 * Which passages of a text hold which terms, packed into pages of 512 passages, in the text's order: `passageScores.ts`
 * reads them. Short passages are taken together up to about 200 words, and one begins where the one before ends, so
 * that its heading is in it. The terms of all headings above count in it as well, and those of title and properties in
 * all.
 */
function* passageIndexOf({ title, texts }: DocumentText, language: Language | null): Generator<Uint8Array> {
  const [body = "", ...properties] = texts;
  const termsIn = termsOfRange(language);
  const everywhere = new Map<string, number>();
  termsIn(title, 0, title.length, (term) => count(everywhere, term, titleWeight));
  for (const property of properties) termsIn(property, 0, property.length, (term) => count(everywhere, term, 1));
  const pages = new PassagePages(everywhere);
  for (const { start, end, heading } of stretchesOf(body)) {
    const page = pages.begin(start, end);
    if (page !== null) yield page;
    termsIn(body, start, end, (term) => pages.add(term));
    if (heading !== null) termsIn(heading, 0, heading.length, (term) => pages.addMissing(term));
  }
  const last = pages.finish();
  if (last !== null) yield last;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
  /** Above its beginning. */
  readonly heading: string | null;
}

/** Passages without gaps between them, short ones together. */
function* stretchesOf(text: string): Generator<Stretch, void, void> {
  let open: (Stretch & { readonly words: number }) | null = null;
  for (const { end, heading, words } of passageRangesOf(text)) {
    const before: Stretch & { readonly words: number } = open ?? { start: 0, end: 0, heading, words: 0 };
    const goesOn =
      before.words < usualWords && before.words + words <= mostWords && end - before.start <= mostCharacters;
    if (goesOn || before.words === 0) open = { ...before, end, words: before.words + words };
    else {
      yield before;
      open = { start: before.end, end, heading, words };
    }
  }
  if (open !== null) yield open;
}

const count = (counts: Map<string, number>, term: string, times: number): unknown =>
  counts.set(term, (counts.get(term) ?? 0) + times);

const termsOfRange =
  (language: Language | null) =>
  (text: string, start: number, end: number, visit: (term: string) => void): void => {
    const surfaces: Surface[] = [];
    const joined = new Set<Word>();
    addSurfaces(text.slice(start, end), surfaces, joined);
    for (const { word } of surfaces) visit(word.termIn(language));
    for (const word of joined) visit(word.termIn(language));
  };
