import { foldDigraphs } from "./folding.js";
import type { Language } from "../shared/language.js";
import { isStopWord } from "./stopWords.js";
import { wordOf } from "./words.js";

/*
 * Words of the vocabulary that a word of the query is a part of: `Kaution` is in Mietkaution, `Brand` in Brandschutz.
 * German writes such words as one, and English only some of them, so that shorter parts are met there by chance.
 */

/** What a word that holds the asked one is worth, compared with the word itself. */
export const compoundWordWorth = 0.5;

/** How many words that hold it count as the asked word: the rarest, of as many as are looked up at most. */
export const mostCompounds = 24;
export const mostCompoundsLookedUp = 64;

/** How many words of one query are looked for in others: of a long question, the words themselves say enough. */
export const mostWordsInWords = 6;

/** How long a part has to be. */
interface ShortestParts {
  readonly head: number;
  readonly beginning: number;
}
const shortest: Readonly<Record<Language, ShortestParts>> = {
  de: { head: 3, beginning: 4 },
  en: { head: 4, beginning: 6 },
};
/** Heads shorter than this end many words that are no compounds: what stands before them has to be a word, too. */
const shortestSureHead = 4;
const shortestModifier = 3;
/** What follows a beginning: shorter ones are endings of the same word. */
const shortestRest = 4;

/** What German puts before a word without making a compound of it; stop words (über, nach) beside these. */
const prefixes = new Set(
  listed(
    "ab an be dar durch ein emp ent er erz fort ge gegen her hin hinter los miss um un ur ver vor weg wider zer zu",
  ),
);
/** What German puts between the parts. */
const links = ["", "s", "es", "n", "en", "er", "e"];
const letters = /^[a-z]+$/;

function listed(words: string): readonly string[] {
  return words.split(" ").map(foldDigraphs);
}

/** The stem by which compounds that end with a word are found; null where it is too short, or not of plain letters. */
export function headOf(word: string): string | null {
  const stem = germanStem(word);
  return letters.test(word) && stem.length >= shortest.de.head ? stem : null;
}

/** The stem of a word of the vocabulary, backwards, so that its beginning is the word's end; null: it is no compound. */
export function endingOf(word: string): string | null {
  if (!letters.test(word) || word.length < shortest.de.head + shortestModifier) return null;
  return [...germanStem(word)].toReversed().join("");
}

/** Whether compounds that begin with this word are looked for. */
export const mayBeginCompounds = (word: string): boolean => letters.test(word) && word.length >= shortest.de.beginning;

/**
 * What stands before the asked word in a compound that ends with it, by the ways to read it (`urlaubs`, `urlaub`); null
 * where the vocabulary's word is no such compound. `mustBeKnown`: one of these has to begin another word that documents hold.
 */
export function modifiersIn(
  compound: string,
  head: string,
): { readonly modifiers: readonly string[]; readonly mustBeKnown: boolean } | null {
  const before = germanStem(compound).slice(0, -head.length);
  if (before.length < shortestModifier || isNoModifier(before)) return null;
  const modifiers = links
    .filter((link) => before.endsWith(link) && before.length - link.length >= shortestModifier)
    .map((link) => before.slice(0, before.length - link.length));
  return { modifiers, mustBeKnown: head.length < shortestSureHead };
}

/** Whether a word of the vocabulary goes on after the asked one as a compound does. */
export const isCompoundFrom = (beginning: string, compound: string): boolean =>
  compound.startsWith(beginning) && compound.length - beginning.length >= shortestRest;

/** The terms by which a compound counts as the asked part: in English, shorter parts do not. */
export function compoundTerms(compound: string, part: string, at: keyof ShortestParts): readonly string[] {
  const word = wordOf(compound);
  const german = [word.termIn("de"), word.termIn(null)];
  return part.length < shortest.en[at] ? german : [...german, word.termIn("en")];
}

const isNoModifier = (before: string): boolean => prefixes.has(before) || isStopWord(before, "de");

const germanStem = (word: string): string => wordOf(word).termIn("de").slice(1);
