import type { AnalysedQuery } from "../../../analysis/analyseQuery.js";
import type { QueryPhrase } from "../../../analysis/queryPhrases.js";
import type { Expansion, RunnableQuery, RunnableWord, TypedWord, Way } from "../../../search/readQuery.js";
import type { Lexicon } from "../../../search/lexicon.js";
import type { Language } from "../../../shared/texts.js";
import type { EngineSearch } from "./connection.js";
import { conditionShares, engineTerm, holdsAnyOf } from "./encoding.js";
import { wordsOf, type EngineTerm } from "./engineDictionary.js";
import { titleFilters, type SoughtTitle } from "./titleWords.js";

export type EngineWay = Way<EngineTerm>;
export type EngineWord = RunnableWord<EngineTerm>;
export type EngineQuery = RunnableQuery<EngineTerm>;

/** A query as it is run. */
export interface Plan {
  readonly words: readonly EngineWord[];
  readonly typed: readonly TypedWord[];
  /** The reader's language; null: not known. */
  readonly readers: Language | null;
  /** null: none. */
  readonly title: SoughtTitle | null;
  /** What the query forbids, in the engine's own syntax; `*`: nothing. */
  readonly q: string;
  /** Whether the query demands phrases: only documents that hold them can be found. */
  readonly hasPhrases: boolean;
  /** null: nothing may be shown. */
  readonly filter: string | null;
  /** What else a document has to pass to be a match; null: no document is one. */
  readonly match: string | null;
}

/**
 * How long the engine may take for what a query matches. It counts the time for which a request waits for one of its
 * threads, so a shorter limit would cut ordinary questions off wherever many are asked at once.
 */
export const searchCutoffMs = 3_000;

/** Words of so few documents make a match by themselves, where a query asks for many. */
const fewDocuments = 100;

const everything = "*";
/** How many ways to write an excluded phrase are excluded at most. */
const mostExcluded = 32;

/** Whether nothing can be found. */
export const isUnanswerable = ({ filter, match }: Plan): boolean => filter === null || match === null;

/** The search for all matches, in no order. */
export const matchingSearch = (collection: string, { q, filter, match }: Plan): EngineSearch => ({
  collection,
  q,
  query_by: "w",
  filter_by: `${filter} && ${match}`,
  prefix: false,
  num_typos: 0,
  search_cutoff_ms: searchCutoffMs,
});

/** The same in the engine's own order. */
export const rankingSearch = (collection: string, plan: Plan): EngineSearch => ({
  ...matchingSearch(collection, plan),
  sort_by: rankingOrder(plan.words, plan.title),
});

/**
 * Passed by documents that hold one of these words in any of its ways; null: there are no ways. `most`: how many parts
 * of names are asked for, the rarest names first.
 */
export function holdingAny(words: readonly EngineWord[], most: number = conditionShares.names): string | null {
  const ways = words.flatMap(({ alternatives }) => alternatives);
  const single = ways.flatMap((way) => way.words);
  const names = ways.flatMap(({ partWords, factor }) => (partWords ? [{ partWords, factor }] : []));
  const rarest = names.toSorted((a, b) => b.factor - a.factor);
  const together = firstWithin(rarest, ({ partWords }) => partWords.length, most).map(
    ({ partWords }) => `(${partWords.map(holdsAnyOf).join(" && ")})`,
  );
  return either([...(single.length > 0 ? [holdsAnyOf(single)] : []), ...together]);
}

/**
 * Passed by documents that hold two of these words, and by those that hold one of few documents: which of these are
 * matches is told by their scores. Two different words differ in a bit of their numbers, so a condition for each bit is
 * enough.
 */
export function holdingTwo(words: readonly EngineWord[]): string | null {
  const held = words.map(({ alternatives }) => wordsOf(alternatives)).filter((some) => some.length > 0);
  const conditions: string[] = [];
  for (let bit = 1; bit < held.length; bit *= 2) {
    const ones = held.filter((_some, index) => (index & bit) !== 0).flat();
    const zeros = held.filter((_some, index) => (index & bit) === 0).flat();
    conditions.push(`(${holdsAnyOf(ones)} && ${holdsAnyOf(zeros)})`);
  }
  const few = holdingAny(
    words.map((word) => ({
      ...word,
      alternatives: isOfFew(word) ? word.alternatives : [],
    })),
    conditionShares.rareNames,
  );
  return either([...conditions, ...(few === null ? [] : [few])]);
}

const isOfFew = ({ alternatives }: EngineWord): boolean =>
  alternatives.reduce((sum, { documents }) => sum + documents, 0) <= fewDocuments;

const either = (conditions: readonly string[]): string | null =>
  conditions.length === 0 ? null : conditions.length === 1 ? conditions.join("") : `(${conditions.join(" || ")})`;

/** How many documents hold any of these words at most. */
export const mostHolding = (words: readonly EngineWord[]): number =>
  words.reduce(
    (sum, { alternatives }) => sum + alternatives.reduce((places, { documents }) => places + documents, 0),
    0,
  );

/** What a query forbids, in the engine's own syntax. */
export function forbiddenIn({ excluded }: Pick<AnalysedQuery, "excluded">, lexicon: Lexicon): string {
  const phrases = excluded.flatMap(({ sequences }) => sequences.flatMap((terms) => waysToWrite(terms, lexicon)));
  const written = phrases.map((words) => `-${words.length === 1 ? words.join("") : `"${words.join(" ")}"`}`);
  return [...new Set(written)].join(" ") || everything;
}

function waysToWrite(terms: readonly string[], lexicon: Lexicon): readonly (readonly string[])[] {
  let written: readonly (readonly string[])[] = [[]];
  for (const term of terms) {
    const forms = lexicon.formsOfTerm(term).map(engineTerm);
    written = written.flatMap((before) => forms.map((form) => [...before, form]));
    if (terms.length > 1) written = written.slice(0, mostExcluded);
  }
  return written;
}

/** A phrase by the words of each of its places, for each language in which it reads differently. */
export interface SoughtPhrase {
  readonly sequences: readonly (readonly (readonly string[])[])[];
}

/** null: no document holds all words of the phrase. */
export function soughtPhrase({ sequences }: QueryPhrase, lexicon: Lexicon): SoughtPhrase | null {
  const held = sequences
    .map((terms) => terms.map((term) => lexicon.formsOfTerm(term).map(engineTerm)))
    .filter((places) => places.every((words) => words.length > 0));
  return held.length === 0 ? null : { sequences: held };
}

/**
 * Passed by documents that hold all words of these phrases, be it apart from each other. Of many phrases the first are
 * asked for, and of many words the longest, which tell most: what is found is looked through for all of them.
 */
export function holdingPhrases(phrases: readonly SoughtPhrase[]): string {
  const asked = firstWithin(phrases, ({ sequences }) => sequences.length, conditionShares.phrases);
  const most = Math.floor(conditionShares.phrases / asked.flatMap(({ sequences }) => sequences).length);
  const told = (places: readonly (readonly string[])[]): string =>
    `(${places.toSorted(longerFirst).slice(0, most).map(holdsAnyOf).join(" && ")})`;
  return asked.map(({ sequences }) => either(sequences.map(told)) ?? "").join(" && ");
}

/** The first of these whose sizes come to no more than `most`. */
function firstWithin<One>(all: readonly One[], sizeOf: (one: One) => number, most: number): readonly One[] {
  let size = 0;
  const end = all.findIndex((one) => (size += sizeOf(one)) > most);
  return end === -1 ? all : all.slice(0, end);
}

const longerFirst = ([a = ""]: readonly string[], [b = ""]: readonly string[]): number => b.length - a.length;

/** Whether a document whose words these are, in their order, holds the phrase. */
export function holdsPhrase(words: readonly string[], { sequences }: SoughtPhrase): boolean {
  return sequences.some((places) => {
    const sets = places.map((place) => new Set(place));
    const [first, ...others] = sets;
    return words.some(
      (word, at) => first?.has(word) === true && others.every((set, index) => set.has(words[at + index + 1] ?? "")),
    );
  });
}

/** How many words take part in the engine's order: the rarest. */
const orderingWords = 5;
/** In queries of so many words, each counts more where a document holds it repeatedly; else it is absent or there. */
const repeatedWords = 2;
/** How many ways of one word take part, and of how many forms: bounds the length of the expression. */
const [orderingWays, orderingForms] = [8, 24];
/** What a repeated word counts, compared with one that stands there once. */
const repetition = 1.4;
const scale = 100;
const newestLast = "len:asc,position:desc";

interface OrderingWord {
  readonly once: string;
  readonly repeated: string;
  readonly weight: number;
}

/**
 * The engine's own order: by the summed rarity of the words that a document holds, and among equals the shorter and
 * newer first. Titles that are the query, or begin with it, come before. Only the first condition of an `_eval` that
 * holds counts, so every combination is listed by falling sum.
 */
function rankingOrder(words: readonly EngineWord[], title: SoughtTitle | null): string {
  const ordering = words
    .flatMap((word) => toOrderingWord(word) ?? [])
    .sort((a, b) => b.weight - a.weight)
    .slice(0, orderingWords);
  if (ordering.length === 0) return newestLast;
  const sums = combinations(ordering).sort((a, b) => b.weight - a.weight);
  const most = sums[0]?.weight ?? 0;
  const conditions = [...titlesFirst(title, most), ...sums].map(
    ({ holds, weight }) => `(${holds}):${Math.max(1, Math.round(weight * scale))}`,
  );
  return `_eval([${conditions.join(",")}]):desc,${newestLast}`;
}

/** @param most what the words of the query add up to at most. */
function titlesFirst(title: SoughtTitle | null, most: number): readonly Combination[] {
  if (title === null) return [];
  const { is, begins } = titleFilters(title);
  return [
    { holds: is, weight: most + 2 },
    { holds: begins, weight: most + 1 },
  ];
}

function toOrderingWord({ alternatives, expansions }: EngineWord): OrderingWord | null {
  const typed = expansions.find(({ reading }) => reading === "as_typed")?.ways ?? [];
  const ordering = typed.length > 0 ? typed : alternatives.slice(0, orderingWays);
  if (ordering.length === 0) return null;
  // The rarest of several parts stands for all: the best documents are scored again.
  const words = [...new Set(wordsOf(ordering))].slice(0, orderingForms).join(",");
  return { once: `w:[${words}]`, repeated: `w2:[${words}]`, weight: factorOf(ordering, expansions) };
}

/**
 * What a word counts for most documents that hold it: one that is common in one language and rare in others is common.
 * Otherwise those that hold several such words would take all places of those that hold a rare one.
 */
function factorOf(ordering: readonly EngineWay[], expansions: readonly Expansion<EngineTerm>[]): number {
  const typed = expansions.find(({ reading }) => reading === "as_typed")?.ways.filter((way) => ordering.includes(way));
  const factors = (ways: readonly EngineWay[]): readonly number[] => ways.map(({ factor }) => factor);
  return typed !== undefined && typed.length > 0 ? Math.min(...factors(typed)) : Math.max(...factors(ordering));
}

interface Combination {
  readonly holds: string;
  readonly weight: number;
}

/** Every combination of words but the empty one. */
function combinations(words: readonly OrderingWord[]): Combination[] {
  const all: Combination[] = [];
  for (const { once, repeated, weight } of words) {
    const ways = [
      { holds: once, weight },
      ...(words.length <= repeatedWords ? [{ holds: repeated, weight: weight * repetition }] : []),
    ];
    const combined = all.flatMap((before) =>
      ways.map((way) => ({ holds: `${before.holds} && ${way.holds}`, weight: before.weight + way.weight })),
    );
    all.push(...combined, ...ways);
  }
  return all;
}
