import { isGeneral } from "./generalWords.js";
import { isJoinedTerm } from "./words.js";
import type { Language } from "../shared/texts.js";

/*
 * What both engines hold to when they rank, so that they answer alike: docs/design/search.md says why, and
 * docs/benchmarks.md, "Relevance", what each was measured to bring.
 */

/** What an occurrence in the title counts, compared with one in the text (more made results worse). */
export const titleWeight = 2;

/** BM25's b. Where documents differ much in length, 0.5 finds more than the usual 0.75. */
export const lengthNormalisation = 0.5;

/**
 * A text of up to so many terms, title and properties included, is scored as a whole; a longer one by its best passage.
 */
export const longestWhole = 600;

/** How many terms a passage counts as. */
const usualPassage = 200;

/**
 * How many terms a document of this many counts as where it is scored. A passage of a long one is not held to be longer
 * than documents are on average: where it is cut is our choice.
 */
export const countedLength = (terms: number, averageLength = usualPassage): number =>
  terms <= longestWhole ? terms : Math.min(usualPassage, averageLength);

/** How many of the first documents are scored by their best passage where they are long. */
export const settledAtOnce = 50;

/** How often the first documents are put in order anew: bounds what one search settles to 200 long documents. */
export const mostRounds = 4;

/** So many pages of a long text's passages count, from its beginning: 32,768 passages. */
export const mostPages = 64;

/**
 * So many pages in all are looked into for one search; long documents that come after these keep what words they hold.
 */
export const mostPagesInAll = 256;

/** How many of the first documents are reordered by nearness, whichever page is asked for. */
export const reordered = 20;

/** Further hits are not counted. */
export const countedHits = 10_000;

/** What a page says of the number of hits: exact up to 10,000. */
export const totalOf = (found: number): { readonly total: number; readonly totalRelation: "eq" | "gte" } => ({
  total: Math.min(found, countedHits),
  totalRelation: found > countedHits ? "gte" : "eq",
});

/** A query of fewer words finds whatever holds any of them. */
const fewestOfMany = 4;
/** A document that holds so many of them is a match. */
export const wordsOfMatch = 2;
/** A document that holds fewer is one, too, where it scores at least this share of the best one's score. */
const shareOfBest = 0.5;

/**
 * How many words a query asks for, and how many of them no document holds that the person may see, but as what they may
 * have been meant to be.
 */
interface AskedWords {
  readonly words: number;
  readonly unknown: number;
}

/** Whether a query of so many words asks for many. */
export const isOfMany = (words: number): boolean => words >= fewestOfMany;

/** Whether documents that hold one common word of a query are left out, because it asks for many. */
export const asksForMany = ({ words }: AskedWords): boolean => isOfMany(words);

/**
 * A word that no larger share of the person's documents holds tells something by itself: anywhere, or where it stands
 * in a title. In a title that is that word alone, every word does.
 */
const tellingShares = { anywhere: 0.002, inTitle: 0.003, title: 1 } as const;

/** So few documents are few in a small collection, too. */
const tellingCounts = { anywhere: 2, inTitle: 3, title: 0 } as const;

/** A word that everybody writes tells something only where hardly anybody of many does. */
const generalShare = 0.001;

/** Where a document holds the one word of many by which it may be a match. */
export type PlaceOfWord = keyof typeof tellingShares;

/** A word of many as it was typed, and how many of all documents hold it that the person may see. */
interface LoneWord {
  readonly typed: string;
  readonly documents: number;
  readonly all: number;
}

/** Whether a document is a match by the one word of many that it holds. */
export function tellsAlone({ typed, documents, all }: LoneWord, place: PlaceOfWord): boolean {
  if (place !== "title" && isGeneral(typed)) return documents <= all * generalShare;
  return documents <= tellingCounts[place] || documents <= all * tellingShares[place];
}

/** So many documents that hold one word are looked at, the best first: others are no matches by their titles. */
export const titlesLookedAt = 20;

/**
 * What a document must score that holds a single one of many words, where that word does not tell alone. Where most of
 * the words are unknown, none is a match: what is asked for is not there.
 */
export const leastScoreOfOneWord = ({ words, unknown }: AskedWords, best: number): number =>
  unknown * 2 > words ? Infinity : best * shareOfBest;

/** A document that holds all parts of a name holds the name less surely than one that writes it as typed. */
export const namePartsWorth = 0.7;

/**
 * What a word counts that a document writes as one, and the query as two (`log book`), compared with another word as
 * rare: it holds both. A document that joins them by a mark (`Log-Book`) holds the two by themselves.
 */
export const joinedWorth = (term: string): number => (isJoinedTerm(term) ? 1 : 2);

/** The same for two words of a document that the query writes as one (`carpark`): they may stand apart in it. */
export const apartWorth = 2 * namePartsWorth;

/**
 * What the score counts of a document that is in another language than the reader's. Among equal matches the documents
 * that can be read without effort come first; a better match in the other language still wins (docs/design/search.md).
 */
const worthOfOther = 0.7;

/**
 * What a document's score counts for a reader of this language. A document whose language was not recognised loses
 * nothing, and nothing is preferred where the reader's language is not known.
 */
export const languageWorth = (document: Language | null, readers: Language | null): number =>
  document === null || readers === null || document === readers ? 1 : worthOfOther;
