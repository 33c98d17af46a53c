import {
  nearnessOf,
  usualShares,
  type Candidate,
  type NearnessShares,
  type WeighedWord,
} from "../../analysis/nearness.js";
import type { BestPassages } from "../../analysis/passageScores.js";
import { worthInBoth, type PlacesInBoth } from "../../analysis/rankFusion.js";
import { titleWeight } from "../../analysis/rankingRules.js";
import { searchedTextsOf, type DescribedDocument } from "../../analysis/searchedTexts.js";
import type { TitleMatch } from "../../analysis/titleMatches.js";
import { termPlacesOf, type ExaminedText, type TermPlace } from "../../analysis/termPlaces.js";
import type {
  Bonus,
  ExplainedBonus,
  ExplainedFusion,
  ExplainedMatch,
  ExplainedWord,
  Explanation,
  Reading,
} from "../../readModels/explanation.js";
import type { SearchedField } from "../../shared/texts.js";

/** How many matches of one word are told, the best: the first alone counts. */
const toldMatches = 3;

/** How many forms of a word are told, and how much of each. */
const toldForms = 3;

const longestForm = 64;

/** A way in which a document holds a word, as it was scored. */
interface ScoredMatch {
  readonly reading: Reading;
  /** What the reading is worth. */
  readonly worth: number;
  /** Rarity, times that. */
  readonly factor: number;
  /** The terms of which the document holds one, or all: those of a name's parts. */
  readonly terms: readonly string[];
  readonly occurrences: number;
  readonly score: number;
}

/** A word of the query, as it was scored in one document. */
export interface ScoredWord {
  /** The word as typed. */
  readonly word: string;
  readonly score: number;
  /** The matches that the document holds. */
  readonly matches: readonly ScoredMatch[];
  /** False for one that says the same as others of the query: it is told where the document holds it. */
  readonly isAsked: boolean;
}

/** A word of the query as it was run, with all the ways in which a document may hold it. */
interface ReadWord<Way> {
  readonly typed: string;
  readonly expansions: readonly {
    readonly reading: Reading;
    readonly worth: number;
    readonly ways: readonly Way[];
  }[];
  /** Whether no document can hold it in two of the ways: else the best one counts. */
  readonly areDisjoint: boolean;
  readonly isAsked: boolean;
}

/** How often a document holds a word in one of its ways, and what it adds. */
interface ScoredWay {
  readonly times: number;
  readonly score: number;
}

/** A word by what a document's score has of each of its ways, told by their index over all expansions. */
export function scoredWord<Way extends { readonly factor: number }>(
  { typed, expansions, areDisjoint, isAsked }: ReadWord<Way>,
  termsOf: (way: Way) => readonly string[],
  scoreOf: (way: Way, index: number) => ScoredWay,
): ScoredWord {
  let index = 0;
  const all = expansions.flatMap(({ reading, worth, ways }) =>
    ways.map((way) => {
      const { times: occurrences, score } = scoreOf(way, index++);
      return { reading, worth, factor: way.factor, terms: termsOf(way), occurrences, score };
    }),
  );
  const scores = all.map(({ score }) => score);
  const score = areDisjoint ? scores.reduce((sum, each) => sum + each, 0) : Math.max(0, ...scores);
  return { word: typed, score, matches: all.filter(({ occurrences }) => occurrences > 0), isAsked };
}

const notHeld: ScoredWay = { times: 0, score: 0 };

/** What the best passage of a long document has of each word. */
export function scoredByPassage<Way extends { readonly factor: number }>(
  { places, ways }: BestPassages,
  words: readonly ReadWord<Way>[],
  termsOf: (way: Way) => readonly string[],
): Pick<ScoredHit, "words"> & { readonly scored: Omit<ScoredHit["scored"], "languageFactor"> } {
  const { start, end } = places[0] ?? { start: 0, end: 0 };
  const scored = ways?.() ?? [];
  return {
    scored: { scored: "passage", passage: { start, end } },
    words: words.map((word, index) => scoredWord(word, termsOf, (_way, at) => scored[index]?.[at] ?? notHeld)),
  };
}

/** What a title adds, in the API's words. */
export const bonusOfTitle: Readonly<Record<TitleMatch, Bonus>> = { begins: "title_begins", is: "title_is" };

/** A hit as it was scored. */
export interface ScoredHit {
  readonly document: Candidate & { readonly score: number; readonly hasNearness?: true };
  /** What of it is searched besides title and text, and which of its properties are. */
  readonly described: DescribedDocument;
  readonly searchable: ReadonlySet<string>;
  readonly scored: Pick<Explanation, "scored" | "passage" | "languageFactor">;
  readonly words: readonly ScoredWord[];
  readonly bonuses: readonly ExplainedBonus[];
  readonly fusion?: ExplainedFusion | undefined;
}

/**
 * Makes the function that tells why a hit is where it is, from what its engine scored. It reads nothing but the hit.
 *
 * @param typed the words of the query by which nearness is told.
 * @param terms of all readings of them.
 */
export function explainedBy(typed: readonly WeighedWord[], terms: readonly string[]): (hit: ScoredHit) => Explanation {
  const placesIn = termPlacesOf(terms);
  const nearness = nearnessBonuses(typed);
  return ({ document, described, searchable, scored, words, bonuses, fusion }) => {
    const places = placesIn(examinedTexts(document, searchedTextsOf(described, searchable)), document.language);
    return {
      score: document.score,
      ...scored,
      words: words.filter(({ isAsked, score }) => isAsked || score > 0).map((word) => explainedWord(word, places)),
      bonuses: [...bonuses, ...(document.hasNearness ? nearness(document) : [])].filter(({ score }) => score > 0),
      ...(fusion && { fusion }),
    };
  };
}

/** What a document's places in the rankings by words and by meaning are worth. */
export const explainedFusion = ({ byWords, byMeaning }: PlacesInBoth): ExplainedFusion => ({
  byWords: byWords === null ? null : byWords + 1,
  byMeaning: byMeaning === null ? null : byMeaning + 1,
  worth: worthInBoth({ byWords, byMeaning }),
});

const bonusOfShare = { exact: "exact", neighbours: "in_order", window: "near" } as const satisfies Readonly<
  Record<keyof NearnessShares, Bonus>
>;

const noShares: NearnessShares = { exact: 0, neighbours: 0, window: 0 };

/** What each kind of nearness adds: it is measured as it was, each kind by itself. */
function nearnessBonuses(typed: readonly WeighedWord[]): (candidate: Candidate) => readonly ExplainedBonus[] {
  const kinds = (Object.keys(bonusOfShare) as (keyof NearnessShares)[]).map((kind) => ({
    bonus: bonusOfShare[kind],
    scoreOf: nearnessOf(typed, { ...noShares, [kind]: usualShares[kind] }),
  }));
  return (candidate) => kinds.map(({ bonus, scoreOf }) => ({ bonus, score: scoreOf(candidate) }));
}

const examinedTexts = (
  { title, text, passage }: Candidate,
  others: readonly ExaminedText[],
): readonly ExaminedText[] => [
  { field: "title", text: title },
  { field: "text", text, ...(passage && { range: passage }) },
  ...others,
];

type Places = ReadonlyMap<string, TermPlace>;

const explainedWord = ({ word, score, matches }: ScoredWord, places: Places): ExplainedWord => ({
  word,
  score,
  matches: matches
    .toSorted((a, b) => b.score - a.score)
    .slice(0, toldMatches)
    .map((match) => explainedMatch(match, places)),
});

function explainedMatch(
  { reading, worth, factor, terms, occurrences, score }: ScoredMatch,
  places: Places,
): ExplainedMatch {
  const found = terms.flatMap((term) => places.get(term) ?? []);
  const fields = new Set<SearchedField>(found.flatMap((place) => [...place.fields]));
  // What stands in no field that was looked through stands further on in the text.
  if (fields.size === 0) fields.add("text");
  return {
    reading,
    written: [...new Set(found.flatMap((place) => [...place.written]))].slice(0, toldForms).map(shortened),
    fields: [...fields].map((field) => ({ field, weight: field === "title" ? titleWeight : 1 })),
    occurrences,
    weight: worth,
    rarity: factor / worth,
    share: score / factor,
    score,
  };
}

const shortened = (form: string): string =>
  form.length <= longestForm ? form : `${[...form.slice(0, longestForm)].slice(0, -1).join("")}…`;
