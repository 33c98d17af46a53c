import { foldDigraphs, looseSpellingsOf } from "./folding.js";
import type { Language } from "../shared/texts.js";
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
  readonly middle: number;
}

const shortest: Readonly<Record<Language, ShortestParts>> = {
  de: { head: 3, beginning: 4, middle: 5 },
  en: { head: 4, beginning: 6, middle: Infinity },
};

/** A shorter part in the middle may stand there by chance: what stands before it has to be a word, too. */
const shortestSureMiddle = 7;

/** In a query's longer words nobody seeks a part in the middle. */
const longestSplit = 40;

/** So many letters of what begins in the middle of a word are kept: enough to select. */
const keptOfMiddle = 8;

/** A part that follows one of these is rather the rest of a verb (`eingeschlagen`), unless it all is a word. */
const verbal = /(?:be|ge|ver|ent|zer)$/;

/** How German words begin: with a vowel, with a consonant before one, or with one of these. */
const onset =
  /^(?:[bcdfghjklmnpqrstvwxyz]?[aeiouy]|(?:bl|br|ch|cl|cr|dr|fl|fr|gl|gn|gr|kl|kn|kr|pf|ph|pl|pr|ps|qu|sch|sk|sl|sm|sp|st|th|tr|tsch|tw|vl|wr|zw)[a-z])/;

/** How a word goes on in its plural, and before another word. */
const inflection = /(?:en|es|n|s)$/;

/** How a word goes on in its plural, and not before another word: `Kündigungen`, and Kündigungsfrist. */
const plural = /(?:en|e|n|s)$/;

/** Without its plural, a shorter word begins others by chance (`Karte`, Kartoffel). */
const shortestSingular = 6;

/**
 * How a head goes on in its other forms. It is told by the end of the word alone, so that a head is cut alike by itself
 * and in every compound: what Snowball cuts off depends on what stands before (`Prüfung`, `Abschlusspruf|ung`).
 */
const headEnding = /(?:e(?:ns?|r(?:n|s|in|innen)?|m|s)?|(?<=[bdfghklmnoprtwy])s|(?<=el)n)$/;

/**
 * Heads shorter than this end many words that are no compounds: what stands before them has to be a word, too. Unless
 * the compound ends with the asked word in the very form (`Wagen`, Dienstwagen), and what is before it is as long as
 * most words; or what is before it can be nothing but the first part of a compound (`Amt`, Ordnungsamt).
 */
const shortestSureHead = 4;

const shortestSureForm = 5;
const shortestSureModifier = 4;
const shortestModifier = 3;
/** What follows a beginning: shorter ones are endings of the same word. */
const shortestRest = 4;

/** What follows a part in the middle has to be a word where it is shorter than that (`Landeskriminalamt`). */
const shortestKnownRest = 3;

/**
 * Stop words that make compounds of nouns (`Nichtschwimmer`, `Wareneingang`, `Nebenkosten`), unlike `über` or `nach`.
 */
const modifyingStopWords = new Set(listed("mehr neben nicht soll waren zwischen"));

/** What German puts before a word without making a compound of it; other stop words (über, nach) beside these. */
const prefixes = new Set(
  listed(
    "ab an be dar durch ein emp ent er erz fort ge gegen her hin hinter los miss um un ur ver vor weg wider zer zu",
  ),
);

/** How German nouns end that take an s before another word, and nowhere else. */
const firstOfCompound = /(?:heit|ion|keit|schaft|tat|ung)s$/;

/** What German puts between the parts. */
const links = ["", "s", "es", "n", "en", "er", "e"];

const letters = /^[a-z]+$/;

function listed(words: string): readonly string[] {
  return words.split(" ").map(foldDigraphs);
}

/** A compound that holds a word, and the terms by which it counts as that word. */
export interface CompoundWord {
  readonly word: string;
  readonly terms: readonly string[];
}

/** The parts of other words as which a word of a query is looked for, in all of its spellings, folded. */
interface SoughtParts {
  readonly heads: readonly string[];
  readonly beginnings: readonly string[];
  readonly middles: readonly string[];
}

/** Reads a word of a query, as it was typed: `Loescher` is in Feuerlöscher, and `Gebühr` in Mahngebuehr. */
export function partsSoughtBy(typed: string): SoughtParts {
  const spellings = looseSpellingsOf(typed);
  return {
    heads: spellings.filter((word) => headOf(word) !== null),
    beginnings: [...new Set(spellings.flatMap((word) => [word, withoutPlural(word)]))].filter(mayBeginCompounds),
    middles: spellings.filter((word) => middleOf(word) !== null),
  };
}

function withoutPlural(word: string): string {
  const singular = word.replace(plural, "");
  return singular.length < shortestSingular ? word : singular;
}

/** By what compounds that end with a word are found; null where it is too short, or not of plain letters. */
export function headOf(word: string): string | null {
  const head = uninflected(word);
  return letters.test(word) && head.length >= shortest.de.head ? head : null;
}

/**
 * A word of the vocabulary as heads are, backwards, so that its beginning is the word's end; null: it is no compound.
 */
export function endingOf(word: string): string | null {
  if (!letters.test(word) || word.length < shortest.de.head + shortestModifier) return null;
  return [...uninflected(word)].toReversed().join("");
}

/**
 * The beginnings of all that may be a part in the middle of a word of the vocabulary, where German words may begin:
 * each up to eight letters. Empty for a word that is too short to have one. At most 29.
 */
export function middlesOf(word: string): readonly string[] {
  if (word.length > longestSplit || !letters.test(word)) return [];
  const middles = new Set<string>();
  const last = word.length - shortest.de.middle - shortestKnownRest;
  for (let at = shortestModifier; at <= last; at += 1)
    if (onset.test(word.slice(at, at + keptOfMiddle))) middles.add(word.slice(at, at + keptOfMiddle));
  return [...middles];
}

/** How a word is written as a part in the middle of others: without its plural; null where it is none. */
export function middleOf(word: string): string | null {
  if (!letters.test(word) || word.length < shortest.de.middle || isStopWord(word, "de")) return null;
  const part = word.replace(inflection, "");
  return part.length < shortest.de.middle ? word : part;
}

/** By what {@link middlesOf} are looked up that may be this part: all that begin so. */
export const middleKeyOf = (part: string): string => part.slice(0, keptOfMiddle);

const mayBeginCompounds = (word: string): boolean => letters.test(word) && word.length >= shortest.de.beginning;

/**
 * What a compound is made of besides the asked word, by the ways to read it: what stands before (`urlaubs`, `urlaub`),
 * or a short word behind a part in the middle. `known`: that one of these has to be a word that documents hold, or to
 * begin another such word; null: it is a compound as it is.
 */
export interface OtherParts {
  readonly parts: readonly string[];
  readonly known: "word" | "beginning" | null;
}

/**
 * The other parts of a compound that ends with this head; null where the vocabulary's word is no such compound.
 *
 * @param asked the word that the head is of, in the form in which it is asked for.
 */
export function partsBeforeHead(compound: string, head: string, asked = head): OtherParts | null {
  const before = uninflected(compound).slice(0, -head.length);
  const isForm = asked.length >= shortestSureForm && compound.startsWith(asked, before.length);
  const isSure =
    head.length >= shortestSureHead ||
    (isForm && before.length >= shortestSureModifier) ||
    firstOfCompound.test(before);
  const parts = partsBefore(before);
  return parts && { parts, known: isSure ? null : "beginning" };
}

/**
 * The other parts of a compound with the asked word in its middle; null where the vocabulary's word is no such
 * compound.
 */
export function partsAround(compound: string, part: string): OtherParts | null {
  const at = compound.indexOf(part, shortestModifier);
  const rest = compound.slice(at + part.length);
  if (at < 0 || rest.length < shortestKnownRest) return null;
  const before = compound.slice(0, at);
  const parts = partsBefore(before);
  if (parts === null) return null;
  const isSure = part.length >= shortestSureMiddle && !verbal.test(before);
  if (rest.length < shortestRest) return isSure ? { parts: [rest], known: "word" } : null;
  return { parts, known: isSure ? null : "word" };
}

/** null: no compound begins so. */
function partsBefore(before: string): readonly string[] | null {
  if (before.length < shortestModifier || isNoModifier(before)) return null;
  return links
    .filter((link) => before.endsWith(link) && before.length - link.length >= shortestModifier)
    .map((link) => before.slice(0, before.length - link.length));
}

/** Whether a word of the vocabulary goes on after the asked one as a compound does. */
export const isCompoundFrom = (beginning: string, compound: string): boolean =>
  compound.startsWith(beginning) && compound.length - beginning.length >= shortestRest;

/** Where a compound may hold a part. */
export type PlaceOfPart = keyof ShortestParts;

/** Whether an English compound counts as the part that it holds there: shorter parts do not. */
export const countsInEnglish = (part: string, at: PlaceOfPart): boolean => part.length >= shortest.en[at];

/** The terms by which a compound counts as the asked part. */
export function compoundTerms(compound: string, part: string, at: PlaceOfPart): readonly string[] {
  const word = wordOf(compound);
  const german = [word.termIn("de"), word.termIn(null)];
  return countsInEnglish(part, at) ? [...german, word.termIn("en")] : german;
}

const isNoModifier = (before: string): boolean =>
  prefixes.has(before) || (isStopWord(before, "de") && !modifyingStopWords.has(before));

const uninflected = (word: string): string => word.replace(headEnding, "");

/** A way to hold a word, by its term and what that is worth. */
interface Way {
  readonly term: string;
  readonly factor: number;
}

/** How a word of the query is read. */
interface ReadAs {
  readonly reading: string;
  readonly worth: number;
  readonly ways: readonly Way[];
}

/**
 * Reads the words of a query so that a compound of two of them counts as the words themselves: `Konzept Sicherung`
 * means the Datensicherungskonzept, where a compound of one of them may mean something else. Takes and gives the
 * readings of each word.
 */
export function countingShared<Read extends ReadAs>(words: readonly (readonly Read[])[]): readonly (readonly Read[])[] {
  const holding = new Map<string, number>();
  for (const term of words.flatMap((readings) => [...new Set(readings.flatMap(termsInCompounds))]))
    holding.set(term, (holding.get(term) ?? 0) + 1);
  const isShared = ({ term }: Way): boolean => (holding.get(term) ?? 0) > 1;
  return words.map((readings) =>
    readings.flatMap((read) => {
      if (read.reading !== "compound" || !read.ways.some(isShared)) return [read];
      const asTyped = Math.max(0, ...readings.filter((other) => other.reading === "as_typed").flatMap(factorsOf));
      const shared = read.ways
        .filter(isShared)
        .map((way) => ({ ...way, factor: Math.max(asTyped, way.factor / compoundWordWorth) }));
      const others = read.ways.filter((way) => !isShared(way));
      return [
        { ...read, ways: others },
        { ...read, worth: read.worth / compoundWordWorth, ways: shared },
      ];
    }),
  );
}

const factorsOf = ({ ways }: ReadAs): readonly number[] => ways.map(({ factor }) => factor);

const termsInCompounds = ({ reading, ways }: ReadAs): readonly string[] =>
  reading === "compound" ? ways.map(({ term }) => term) : [];
