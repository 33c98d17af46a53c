import type { QueryPhrase } from "./queryPhrases.js";
import { initialsOf } from "./initials.js";
import type { Language } from "../shared/texts.js";
import type { TextRange } from "./nearness.js";
import { writtenNamesOf } from "./joinedForms.js";
import { forEachToken } from "./tokens.js";
import { isJoinedTerm, joinedWordOf, surfaceOf } from "./words.js";

/** Where a phrase stands in a text. */
export interface PhraseMatch extends TextRange {
  /** Its index in the query. */
  readonly phrase: number;
}

interface Seen {
  readonly term: string;
  readonly start: number;
}

/** Stands for a word that is in no phrase. */
const other = "";

/** Makes the function that finds these phrases in a part of a text, in their order. */
export function phraseMatchesOf(
  phrases: readonly QueryPhrase[],
): (text: string, range: TextRange, language: Language | null) => readonly PhraseMatch[] {
  const sequences = phrases.flatMap((each, phrase) => each.sequences.map((terms) => ({ phrase, terms })));
  const mayBegin = initialsOf(sequences.flatMap(({ terms }) => terms));
  const longest = Math.max(0, ...sequences.map(({ terms }) => terms.length));
  const names = new Map(
    sequences.flatMap(({ phrase, terms: [term = ""] }) => (isJoinedTerm(term) ? [[term, phrase] as const] : [])),
  );
  return (text, range, language) => {
    const found: PhraseMatch[] = [];
    if (longest === 0) return found;
    const last: Seen[] = [];
    const runs = writtenNamesOf(text, ({ start, end, forms }) => {
      for (const form of forms) {
        const phrase = names.get(joinedWordOf(form).joinedTerm());
        if (phrase !== undefined) found.push({ phrase, start, end });
      }
    });
    forEachToken(text, range.start, range.end, (start, end) => {
      if (names.size > 0) runs.see(start, end);
      const surface = mayBegin(text, start) ? surfaceOf(text.slice(start, end)) : undefined;
      if (surface === null) return;
      last.push({ term: surface?.word.termIn(language) ?? other, start });
      if (last.length > longest) last.shift();
      if (surface === undefined) return;
      for (const { phrase, terms } of sequences)
        if (endsWith(last, terms)) found.push({ phrase, start: (last.at(-terms.length) as Seen).start, end });
    });
    runs.end();
    return found;
  };
}

const endsWith = (seen: readonly Seen[], terms: readonly string[]): boolean =>
  seen.length >= terms.length && terms.every((term, index) => seen.at(index - terms.length)?.term === term);
