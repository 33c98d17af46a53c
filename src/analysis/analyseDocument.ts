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
