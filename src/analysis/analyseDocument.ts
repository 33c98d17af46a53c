import { detectLanguage, type Language } from "./language.js";
import { formsOf } from "./terms.js";
import { forEachToken } from "./tokens.js";

export interface DocumentText {
  readonly title: string;
  /** The body first, then the values of searchable properties. */
  readonly texts: readonly string[];
}

/** A document as the index holds it. */
export interface AnalysedDocument {
  /** null: neither language was recognised, its words are folded only. */
  readonly language: Language | null;
  /** Terms in their order, joined by spaces: for a column whose tokeniser is `ascii`. */
  readonly title: string;
  /** As {@link title}: the terms of all texts, one text after the other. */
  readonly body: string;
  /** Number of terms. */
  readonly titleLength: number;
  readonly bodyLength: number;
  /** The distinct folded words as written, for the vocabulary. */
  readonly words: readonly string[];
}

/** The language that {@link analyseDocument} stems a document in: by the start of its texts, after the title. */
export const languageOf = (document: DocumentText): Language | null =>
  detectLanguage(`${document.title}\n${document.texts.map((text) => text.slice(0, 2_000)).join("\n")}`);

let documents = 0;

/** Turns a document into terms, each word stemmed in the document's language. Accepts any text. */
export function analyseDocument(document: DocumentText): AnalysedDocument {
  documents += 1;
  const language = languageOf(document);
  const words: string[] = [];
  const title: string[] = [];
  const body: string[] = [];
  collectTerms(document.title, language, title, words);
  for (const text of document.texts) collectTerms(text, language, body, words);
  return { language, title: title.join(" "), body: body.join(" "), titleLength: title.length, bodyLength: body.length, words };
}

function collectTerms(text: string, language: Language | null, terms: string[], words: string[]): void {
  forEachToken(text, 0, text.length, (start, end) => {
    const forms = formsOf(text.slice(start, end));
    if (forms.word === "") return;
    terms.push(forms.in(language));
    if (forms.lastSeenIn === documents) return;
    forms.lastSeenIn = documents;
    words.push(forms.word);
  });
}
