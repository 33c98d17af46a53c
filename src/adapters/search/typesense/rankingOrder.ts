import type { Expansion, RunnableWord, Way } from "./queryWords.js";
import { titleFilters, type SoughtTitle } from "./titleWords.js";

/** How many words take part in the engine's order: the rarest. */
const orderingWords = 5;
/**
 * How many of the words count more where a document holds them repeatedly. Each of the other words is absent or there:
 * 71 conditions in all, and for each the engine looks through all documents.
 */
const repeatedWords = 2;
/** How many ways of one word take part: bounds the length of the expression. */
const orderingWays = 8;
/** What a repeated word counts, compared with one that stands there once. */
const repetition = 1.4;
const scale = 100;

interface OrderingWord {
  readonly once: string;
  readonly repeated: string;
  readonly weight: number;
  readonly isSeen: boolean;
}

/**
 * The engine's own order: by the summed rarity of the words that a document holds, and among equals the shorter and
 * newer first. Titles that are the query, or begin with it, come before. Only the first condition of an `_eval` that
 * holds counts, so every combination is listed by falling sum.
 */
export function rankingOrder(words: readonly RunnableWord[], title: SoughtTitle | null): string {
  const ordering = words
    .flatMap((word) => toOrderingWord(word) ?? [])
    .sort((a, b) => Number(b.isSeen) - Number(a.isSeen) || b.weight - a.weight)
    .slice(0, orderingWords);
  const newestFirst = "len:asc,position:desc";
  if (ordering.length === 0) return newestFirst;
  const sums = combinations(ordering).sort((a, b) => b.weight - a.weight);
  const most = sums[0]?.weight ?? 0;
  const conditions = [...titlesFirst(title, most), ...sums].map(
    ({ holds, weight }) => `(${holds}):${Math.max(1, Math.round(weight * scale))}`,
  );
  return `_eval([${conditions.join(",")}]):desc,${newestFirst}`;
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

/** A word that nothing held lately takes part where there is room: a document with it may have come since. */
function toOrderingWord({ ways, expansions }: RunnableWord): OrderingWord | null {
  const isSeen = ways.some((way) => way.isSeen);
  const ordering = ways.filter((way) => way.isSeen === isSeen).slice(0, orderingWays);
  if (ordering.length === 0) return null;
  // The rarest of several parts stands for all: the best documents are scored again.
  const terms = [...new Set(ordering.flatMap(({ term, parts }) => parts?.[0] ?? [term]))];
  const list = terms.length === 1 ? terms.join("") : `[${terms.join(",")}]`;
  return {
    once: `s:${list}`,
    repeated: `s2:${list}`,
    weight: factorOf(ordering, expansions),
    isSeen,
  };
}

/**
 * What a word counts for most documents that hold it: one that is common in one language and rare in others is common.
 * Otherwise those that hold several such words would take all places of those that hold a rare one.
 */
function factorOf(ordering: readonly Way[], expansions: readonly Expansion[]): number {
  const typed = expansions.find(({ reading }) => reading === "as_typed")?.ways.filter((way) => ordering.includes(way));
  const factors = (ways: readonly Way[]): readonly number[] => ways.map(({ factor }) => factor);
  return typed !== undefined && typed.length > 0 ? Math.min(...factors(typed)) : Math.max(...factors(ordering));
}

interface Combination {
  readonly holds: string;
  readonly weight: number;
}

/** Every combination of words but the empty one. */
function combinations(words: readonly OrderingWord[]): Combination[] {
  const all: Combination[] = [];
  for (const [index, { once, repeated, weight }] of words.entries()) {
    const ways = [
      { holds: once, weight },
      ...(index < repeatedWords ? [{ holds: repeated, weight: weight * repetition }] : []),
    ];
    const combined = all.flatMap((before) =>
      ways.map((way) => ({ holds: `${before.holds} && ${way.holds}`, weight: before.weight + way.weight })),
    );
    all.push(...combined, ...ways);
  }
  return all;
}
