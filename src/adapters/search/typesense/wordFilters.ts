import type { RunnableWord, Way } from "./queryWords.js";

/*
 * What documents hold, as the engine's filters say it.
 */

const holding = (terms: readonly string[]): string => `s:[${[...new Set(terms)].join(",")}]`;

/** The terms of these ways, or of the rarest part where several parts have to be held. */
export const tellingTerms = (ways: readonly Way[]): readonly string[] =>
  ways.flatMap(({ term, parts }) => parts?.[0] ?? [term]);

/** Passed by documents that hold a word in any of its ways. */
export function holdingAny(words: readonly RunnableWord[]): string {
  const ways = words.flatMap((word) => word.ways);
  const single = ways.flatMap(({ term, parts }) => (parts === undefined ? [term] : []));
  const together = ways.flatMap(({ parts }) => (parts === undefined ? [] : [`(${parts.map(holding).join(" && ")})`]));
  const filters = [...(single.length > 0 ? [holding(single)] : []), ...together];
  return filters.length === 1 ? filters.join("") : `(${filters.join(" || ")})`;
}

/**
 * Passed by documents that hold two of these words, or are named. Two different words differ in a bit of their numbers,
 * so a condition for each bit is enough.
 */
export function holdingTwoOf(words: readonly RunnableWord[], named: readonly string[]): string {
  const held = words.map(({ ways }) => tellingTerms(ways)).filter((terms) => terms.length > 0);
  const conditions: string[] = named.length > 0 ? [`id:=[${named.join(",")}]`] : [];
  for (let bit = 1; bit < held.length; bit *= 2) {
    const ones = held.filter((_terms, index) => (index & bit) !== 0).flat();
    const zeros = held.filter((_terms, index) => (index & bit) === 0).flat();
    conditions.push(`(${holding(ones)} && ${holding(zeros)})`);
  }
  return conditions.length === 0 ? `id:=[${nowhere}]` : `(${conditions.join(" || ")})`;
}

/** No document's id. */
const nowhere = "none";
