import { isUnspaced } from "./characters.js";
import type { DocumentText } from "./documentText.js";
import type { Language } from "../shared/texts.js";
import { languageBy, noEvidence } from "./languageEvidence.js";
import { passageIndexOf } from "./passageIndex.js";
import { longestWhole } from "./rankingRules.js";
import { addSurfaces, characterWordOf, type Surface, type Word } from "./words.js";

/** A document as the index holds it. */
export interface AnalysedDocument {
  /** null: neither language was recognised, so words are only folded. */
  readonly language: Language | null;
  /**
   * Terms in their order, and then those of what the title writes as one of several words, joined by spaces: for a
   * column whose tokeniser is `ascii`.
   */
  readonly title: string;
  /**
   * Like {@link title}: the terms of all texts, one text after the other, and of the folders; at last each character of
   * a script without spaces, by which a query excludes words of one character.
   */
  readonly body: string;
  /** Number of terms, without those of the folders and of single characters. */
  readonly titleLength: number;
  readonly bodyLength: number;
  /** The distinct folded words as written, for the vocabulary. */
  readonly words: readonly Word[];
  /** Which passages hold which terms: the pages of `passageIndexOf`. None where the document is scored as a whole. */
  readonly passages: readonly Uint8Array[];
}

/** How many terms are joined at a time: a text of 100 MB needs no list of all its terms. */
const joinedTerms = 8_192;

/** This many characters surely hold the words by which the language is told. */
const headLength = 4_000;

/** The language of a text, told by its first words: see {@link languageBy}. */
export function detectLanguage(text: string): Language | null {
  const surfaces: Surface[] = [];
  addSurfaces(text.slice(0, headLength), surfaces);
  return languageBy(surfaces);
}

let collections = 0;

/** How an engine holds words: by their stems, or as they are written, with the letter of their language. */
export type TermForm = "stem" | "written";

/**
 * Turns a document into terms of this form, in the document's language (by its title and first words). Accepts any
 * text.
 */
export function analyseDocument(document: DocumentText, form: TermForm = "stem"): AnalysedDocument {
  const surfaces: Surface[] = [];
  addTogether([document.title], surfaces);
  const titleLength = surfaces.length;
  addTogether(document.texts, surfaces);
  const bodyLength = surfaces.length - titleLength;
  addTogether([document.folders ?? ""], surfaces);
  const language = languageBy(surfaces);
  const words = distinctWords(surfaces);
  const passages = surfaces.length > longestWhole ? [...passageIndexOf(document, language)] : [];
  for (const word of charactersOf(words)) surfaces.push({ word, evidence: noEvidence });
  return {
    language,
    title: joinTerms(surfaces, { from: 0, to: titleLength }, language, form),
    body: joinTerms(surfaces, { from: titleLength, to: surfaces.length }, language, form),
    titleLength,
    bodyLength,
    words,
    passages,
  };
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

function joinTerms(
  surfaces: readonly Surface[],
  { from, to }: { readonly from: number; readonly to: number },
  language: Language | null,
  form: TermForm,
): string {
  let joined = "";
  for (let start = from; start < to; start += joinedTerms) {
    const some = surfaces.slice(start, Math.min(to, start + joinedTerms));
    const terms = some.map(({ word }) => (form === "stem" ? word.termIn(language) : word.writtenIn(language)));
    joined += (start === from ? "" : " ") + terms.join(" ");
  }
  return joined;
}

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
