import { compoundWordWorth } from "./compoundWords.js";

/** A way to hold a word, by its term and what that is worth. */
interface Way {
  readonly term: string;
  readonly factor: number;
}

/** How a word of the query is read. */
interface ReadAs {
  readonly reading: string;
  readonly worth: number;
  readonly ways: readonly Way[];
}

/**
 * Reads the words of a query so that a compound of two of them counts as the words themselves: `Konzept Sicherung`
 * means the Datensicherungskonzept, where a compound of one of them may mean something else. Takes and gives the
 * readings of each word.
 */
export function countingShared<Read extends ReadAs>(words: readonly (readonly Read[])[]): readonly (readonly Read[])[] {
  const holding = new Map<string, number>();
  for (const term of words.flatMap((readings) => [...new Set(readings.flatMap(termsInCompounds))]))
    holding.set(term, (holding.get(term) ?? 0) + 1);
  const isShared = ({ term }: Way): boolean => (holding.get(term) ?? 0) > 1;
  return words.map((readings) =>
    readings.flatMap((read) => {
      if (read.reading !== "compound" || !read.ways.some(isShared)) return [read];
      const asTyped = Math.max(0, ...readings.filter((other) => other.reading === "as_typed").flatMap(factorsOf));
      const shared = read.ways
        .filter(isShared)
        .map((way) => ({ ...way, factor: Math.max(asTyped, way.factor / compoundWordWorth) }));
      const others = read.ways.filter((way) => !isShared(way));
      return [
        { ...read, ways: others },
        { ...read, worth: read.worth / compoundWordWorth, ways: shared },
      ];
    }),
  );
}

const factorsOf = ({ ways }: ReadAs): readonly number[] => ways.map(({ factor }) => factor);

const termsInCompounds = ({ reading, ways }: ReadAs): readonly string[] =>
  reading === "compound" ? ways.map(({ term }) => term) : [];
