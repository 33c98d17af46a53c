import type { SearchedField, Language } from "../shared/texts.js";
import { initialsOf } from "./initials.js";
import { writtenNamesOf } from "./joinedForms.js";
import type { TextRange } from "./nearness.js";
import type { SearchedText } from "./searchedTexts.js";
import { forEachToken } from "./tokens.js";
import { isJoinedTerm, joinedWordOf, surfaceOf } from "./words.js";

/** How far into a text is looked: bounds the cost to a few milliseconds. */
const examinedCharacters = 100_000;

/** Where a term stands in a document, and how it is written there. */
export interface TermPlace {
  /** The fields, in the order in which they were looked through. */
  readonly fields: ReadonlySet<SearchedField>;
  /** The forms as written, in the order of their first occurrence. */
  readonly written: ReadonlySet<string>;
}

/** A text that is looked through, or the stretch of it that counts. */
export interface ExaminedText extends SearchedText {
  /** Left out: its first 100,000 characters. */
  readonly range?: TextRange;
}

/**
 * Makes the function that finds these terms in the texts of a document that was analysed in this language. Terms that
 * stand in none of them are left out.
 */
export function termPlacesOf(
  terms: readonly string[],
): (texts: readonly ExaminedText[], language: Language | null) => ReadonlyMap<string, TermPlace> {
  const sought = new Set(terms);
  const mayBegin = initialsOf(terms);
  const areRunsSought = terms.some(isJoinedTerm);
  return (texts, language) => {
    const places = new Map<string, { readonly fields: Set<SearchedField>; readonly written: Set<string> }>();
    const see = (term: string, field: SearchedField, written: string): void => {
      if (!sought.has(term)) return;
      const place = places.get(term) ?? { fields: new Set(), written: new Set() };
      place.fields.add(field);
      place.written.add(written);
      places.set(term, place);
    };
    for (const { field, text, range = { start: 0, end: Math.min(text.length, examinedCharacters) } } of texts) {
      const runs = writtenNamesOf(text, ({ forms, text: written }) => {
        for (const form of forms) see(joinedWordOf(form).joinedTerm(), field, written);
      });
      forEachToken(text, range.start, range.end, (start, end) => {
        if (areRunsSought) runs.see(start, end);
        if (!mayBegin(text, start)) return;
        const written = text.slice(start, end);
        see(surfaceOf(written)?.word.termIn(language) ?? "", field, written);
      });
      runs.end();
    }
    return places;
  };
}
