/** A word that at most so many of the person's documents hold is rare: it may be a compound or a misspelling. */
export const rareDocuments = 2;

/** Rare words of one query that are looked into at most. */
export const mostRareWords = 8;

/** Documents of a part or of a correction that are counted at most: more would not change what is chosen. */
export const countedDocuments = 100;

/** What a correction is worth against the word as typed, by its distance. */
const correctionWorth = [1, 0.6, 0.4] as const;
/** A word that is rare, not unknown, gives way only to words that are so many times as frequent. */
const farMoreFrequent = 20;
const mostCorrections = 3;

/** A word that may be what was meant, and in how many documents it stands. */
interface NearWord {
  readonly distance: number;
  readonly documents: number;
}

/** The nearest words first, of those as near the more frequent. */
export const nearestFirst = (a: NearWord, b: NearWord): number => a.distance - b.distance || b.documents - a.documents;

/** Of words near to one that so many documents hold, those that are taken for what was meant, each with its worth. */
export function convincingCorrections<Near extends NearWord>(
  near: readonly Near[],
  documents: number,
): readonly (Near & { readonly worth: number })[] {
  const needed = documents === 0 ? 1 : documents * farMoreFrequent;
  return near
    .filter((candidate) => candidate.documents >= needed)
    .sort(nearestFirst)
    .slice(0, mostCorrections)
    .map((candidate) => ({ ...candidate, worth: correctionWorth[candidate.distance] ?? 0 }));
}
