import type { Language } from "../shared/texts.js";
import { isStopWord } from "./stopWords.js";
import { wordOf } from "./words.js";

/** Shorter parts would be found by chance. */
const shortestPart = 4;

const longestWord = 40;
/** What German puts between the parts: Arbeit-s-vertrag, Kind-er-garten. */
const links = ["", "s", "es", "n", "en", "er"];

/** A word read as two, both written as the vocabulary would hold them. */
export interface CompoundSplit {
  readonly head: string;
  readonly tail: string;
}

/**
 * Every way to read a folded word as a German compound of two, none of them a stop word (`unterstellen`); the
 * vocabulary says which one is right. Empty for words that are too short or too long, or not of plain letters. At most
 * some 190 splits, over some 70 distinct heads and 33 tails.
 */
export function compoundSplits(word: string): readonly CompoundSplit[] {
  if (word.length > longestWord || !/^[a-z]+$/.test(word)) return [];
  const splits: CompoundSplit[] = [];
  for (let at = shortestPart; at <= word.length - shortestPart; at += 1) {
    const before = word.slice(0, at);
    for (const link of links) {
      if (!before.endsWith(link) || at - link.length < shortestPart) continue;
      splits.push({ head: word.slice(0, at - link.length), tail: word.slice(at) });
    }
  }
  return splits.filter(({ head, tail }) => !isStopWord(head, "de") && !isStopWord(tail, "de"));
}

/** What each of the two counts, compared with a word as rare: where a document holds the compound, that comes first. */
export const partWorth = (documentsWithCompound: number): number => (documentsWithCompound === 0 ? 1 : 0.7);

/** The terms by which a part counts: those of German documents. English words beside each other are no compound. */
export const partTerms = (part: string): readonly string[] => {
  const word = wordOf(part);
  return [...new Set([word.termIn("de"), word.termIn(null)])];
};

/** Shorter words follow each other in too many texts. */
const shortestHalf = 3;

/** How many readings as two words are looked for in documents. */
export const mostReadApart = 8;

/** A name and its number: `ISO9001`, `Windows11`. */
const numbered = /^([a-z]{2,})(\d+)$/;

const digits = /^\d+$/;

/**
 * Every way to read a folded word as two that texts may write apart (`carpark`): what nothing is put between, and no
 * stop words (`incase`); of a name with its number, these two. A document has to hold both. Empty for words that are
 * too short or too long, or not of plain letters; at most 35.
 */
export function apartSplits(word: string): readonly CompoundSplit[] {
  const [, name, number] = numbered.exec(word) ?? [];
  if (name !== undefined && number !== undefined) return [{ head: name, tail: number }];
  if (word.length > longestWord || !/^[a-z]+$/.test(word)) return [];
  const splits: CompoundSplit[] = [];
  for (let at = shortestHalf; at <= word.length - shortestHalf; at += 1)
    splits.push({ head: word.slice(0, at), tail: word.slice(at) });
  return splits.filter(({ head, tail }) => !isStopWord(head, "en") && !isStopWord(tail, "en"));
}

/**
 * The terms by which one of the two counts: those of English documents, also where they join it by a mark (`guest
 * Wi-Fi`), since German ones write compounds; of a name and its number, all.
 */
export const apartTerms = (half: string, { tail }: CompoundSplit): readonly string[] => {
  const word = wordOf(half);
  if (digits.test(tail)) return word.terms();
  return [...new Set([word.termIn("en"), word.termIn(null), word.joinedTerm()])];
};

/** Whether words of a query in this language may be compounds: English writes them as two words. */
export const mayHoldCompounds = (language: Language | null): boolean => language !== "en";

/** The split whose rarer part is most frequent in the vocabulary; null where none has two known parts. */
export function likeliestSplit(
  splits: readonly CompoundSplit[],
  documentsWith: (word: string) => number,
): CompoundSplit | null {
  let likeliest: CompoundSplit | null = null;
  let most = 0;
  for (const split of splits) {
    const documents = Math.min(documentsWith(split.head), documentsWith(split.tail));
    if (documents <= most) continue;
    most = documents;
    likeliest = split;
  }
  return likeliest;
}
