/** The usual constant: by it first places count little more than second ones. */
const constant = 60;

/** What a place in a ranking is worth where rankings are fused; ranks begin with 0. */
export const worthOfRank = (rank: number): number => 1 / (constant + rank);

/**
 * One ranking of several, each without doubles, by reciprocal ranks: scores of different kinds cannot be compared,
 * places can. Whatever is in one of them is in the answer, once. Where places are worth the same, the first ranking
 * decides, then the second.
 */
export function fuseRankings<Item>(rankings: readonly (readonly Item[])[]): readonly Item[] {
  const worth = new Map<Item, number>();
  for (const ranking of rankings)
    ranking.forEach((item, rank) => worth.set(item, (worth.get(item) ?? 0) + worthOfRank(rank)));
  return [...worth].sort(([, a], [, b]) => b - a).map(([item]) => item);
}

/** So many of the first documents by words are fused with those that are nearest by meaning. */
export const fusedByWords = 100;
/** So many documents are found by meaning. */
export const mostByMeaning = 50;

/**
 * Documents by words and by meaning in one order: the first of both fused, then the others by words. The beginning of
 * the order by words has to have {@link fusedByWords} documents, if there are so many; the rest of the answer's order
 * goes as far as that.
 */
export function withMeaning<Item>(byWords: readonly Item[], byMeaning: readonly Item[]): readonly Item[] {
  const first = fuseRankings([byWords.slice(0, fusedByWords), byMeaning]);
  const known = new Set(first);
  return [...first, ...byWords.slice(fusedByWords).filter((item) => !known.has(item))];
}

/** A document's places in the two rankings, from 0; null: it is not in that one. */
export interface PlacesInBoth {
  readonly byWords: number | null;
  readonly byMeaning: number | null;
}

/** Where a document stands in the two. */
export function placesInBoth<Item>(item: Item, byWords: readonly Item[], byMeaning: readonly Item[]): PlacesInBoth {
  const placeIn = (ranking: readonly Item[]): number | null => {
    const place = ranking.indexOf(item);
    return place < 0 ? null : place;
  };
  return { byWords: placeIn(byWords), byMeaning: placeIn(byMeaning) };
}

/** What the places are worth together in {@link withMeaning}. 0: the document comes after those that were fused. */
export function worthInBoth({ byWords, byMeaning }: PlacesInBoth): number {
  const fused = [byWords !== null && byWords < fusedByWords ? byWords : null, byMeaning];
  return fused.reduce<number>((sum, rank) => sum + (rank === null ? 0 : worthOfRank(rank)), 0);
}
