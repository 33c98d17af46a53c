import { wordOf, type Word } from "../analysis/words.js";
import { foldDigraphs } from "../analysis/folding.js";
import type { Language } from "../shared/texts.js";

/** A word as documents hold it, folded, and its terms there: one for each language, distinct by their first letter. */
export interface LexiconEntry {
  readonly word: string;
  readonly terms: readonly string[];
}

/** How many words a page has at most. */
export const mostOnPage = 65_536;

const betweenEntries = "\n";
const betweenTerms = " ";
const otherStem = "=";

/** The term of a form, which is a word with the letter of its language before it. */
export function termOfForm(form: string): string {
  const tag = form.charAt(0);
  if (tag === "d") return wordOf(form.slice(1)).termIn("de");
  if (tag === "e") return wordOf(form.slice(1)).termIn("en");
  return tag + foldDigraphs(form.slice(1));
}

/** What a document in this language adds to the lexicon by a word of its own. */
export const entryOf = (word: Word, language: Language | null): LexiconEntry => ({
  word: word.text,
  terms: [word.termIn(language)],
});

/** A page as a text, a third longer than its words. */
export const encodePage = (entries: readonly LexiconEntry[]): string =>
  entries
    .map(({ word, terms }) => [word, ...terms.map((term) => encodeTerm(word, term))].join(betweenTerms))
    .join(betweenEntries);

/** What {@link encodePage} has written. */
export const decodePage = (text: string): readonly LexiconEntry[] =>
  text === ""
    ? []
    : text.split(betweenEntries).map((line) => {
        const [word = "", ...codes] = line.split(betweenTerms);
        return { word, terms: codes.map((code) => decodeTerm(word, code)) };
      });

/** Entries in one list, each word once. */
export function mergedEntries(entries: readonly LexiconEntry[]): readonly LexiconEntry[] {
  const merged = new Map<string, readonly string[]>();
  for (const { word, terms } of entries) {
    const known = merged.get(word);
    merged.set(word, known === undefined ? terms : [...new Set([...known, ...terms])]);
  }
  return [...merged].map(([word, terms]) => ({ word, terms }));
}

/** Entries in the order in which a page in memory has them: one that is stored so is taken in twice as fast. */
export const sortedByWord = (entries: readonly LexiconEntry[]): readonly LexiconEntry[] =>
  entries.toSorted((a, b) => Number(a.word > b.word) - Number(a.word < b.word));

/** Most stems are beginnings of their words, so that their length says all. */
function encodeTerm(word: string, term: string): string {
  const stem = term.slice(1);
  return term.charAt(0) + (word.startsWith(stem) ? String(stem.length) : otherStem + stem);
}

function decodeTerm(word: string, code: string): string {
  const rest = code.slice(1);
  return code.charAt(0) + (rest.startsWith(otherStem) ? rest.slice(otherStem.length) : word.slice(0, Number(rest)));
}
