import type { SearchReader } from "../queries/ports.js";
import type { HeldTokens } from "../src/readModels/search.js";
import { atMost, percentile, timed, type Measurement } from "./measure.js";

/** The longest that anybody waits for suggestions who types on. */
const promisedMs = 20;
/** How many letters of a word are typed. */
const lengths = [1, 2, 3, 4, 6] as const;
const count = 8;

/**
 * Suggestions for beginnings of words, alone and behind another word, against the time that they are promised in.
 * Percentiles are over all beginnings and people, each asked twice; the first time nothing is remembered of it.
 */
export async function measureSuggestions(
  reader: SearchReader,
  words: readonly string[],
  people: readonly HeldTokens[],
): Promise<readonly Measurement[]> {
  const alone = lengths.flatMap((length) => [...new Set(words.map((word) => word.slice(0, length)))]);
  const behind = words.map((word, index) => `${words[(index * 7 + 3) % words.length]} ${word.slice(0, 3)}`);
  return [
    await measure(reader, "the beginning of a word", alone, people),
    await measure(reader, "the beginning of a word behind another word", behind, people),
  ];
}

async function measure(
  reader: SearchReader,
  name: string,
  queries: readonly string[],
  people: readonly HeldTokens[],
): Promise<Measurement> {
  const [first, again]: [number[], number[]] = [[], []];
  for (const kept of [first, again])
    for (const query of queries)
      for (const held of people) kept.push(await timed(() => reader.suggest({ query, held, count })));
  const told = (figures: readonly number[]): string =>
    [50, 99, 100].map((percent) => percentile(figures, percent).toFixed(2)).join(" / ");
  return {
    name: `suggestions for ${name}, p99 ÷ the ${promisedMs} ms that are promised`,
    ...atMost(1, Math.max(percentile(first, 99), percentile(again, 99)) / promisedMs),
    ours: `${told(again)} ms (p50 / p99 / most), first asked ${told(first)}`,
    peer: `${promisedMs} ms`,
    rounds: queries.length * people.length,
  };
}
