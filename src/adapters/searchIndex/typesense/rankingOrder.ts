import type { RunnableWord } from "./queryWords.js";

/** Words that take part in the engine's order: the rarest. With each absent, there, or there repeatedly, 242 conditions. */
const orderingWords = 5;
/** Ways of one word that take part: bounds the length of the expression. */
const orderingWays = 8;
/** What a repeated word tells against one that stands there once. */
const repetition = 1.4;
const scale = 100;

interface OrderingWord {
  readonly once: string;
  readonly repeated: string;
  readonly weight: number;
}

/**
 * The engine's own order: by the summed rarity of the words that a document holds, shorter and newer ones first among
 * equals. Of an `_eval` only the first condition that holds counts, so every combination is listed by falling sum.
 */
export function rankingOrder(words: readonly RunnableWord[]): string {
  const rarest = words
    .filter(({ ways }) => ways.length > 0)
    .sort((a, b) => b.sought.weight - a.sought.weight)
    .slice(0, orderingWords);
  const ordering = rarest.map(({ ways, sought }): OrderingWord => {
    const terms = ways.slice(0, orderingWays).map(({ term }) => term);
    const list = terms.length === 1 ? terms.join("") : `[${terms.join(",")}]`;
    return { once: `s:${list}`, repeated: `s2:${list}`, weight: sought.weight };
  });
  const newestFirst = "len:asc,position:desc";
  if (ordering.length === 0) return newestFirst;
  const conditions = combinations(ordering)
    .sort((a, b) => b.weight - a.weight)
    .map(({ holds, weight }) => `(${holds.join(" && ")}):${Math.max(1, Math.round(weight * scale))}`);
  return `_eval([${conditions.join(",")}]):desc,${newestFirst}`;
}

interface Combination {
  readonly holds: readonly string[];
  readonly weight: number;
}

/** Every combination of words but the empty one. */
function combinations(words: readonly OrderingWord[]): Combination[] {
  let all: Combination[] = [{ holds: [], weight: 0 }];
  for (const { once, repeated, weight } of words) {
    all = all.flatMap((combination) => [
      combination,
      { holds: [...combination.holds, once], weight: combination.weight + weight },
      { holds: [...combination.holds, repeated], weight: combination.weight + weight * repetition },
    ]);
  }
  return all.slice(1);
}
