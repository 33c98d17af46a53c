import type { TextRange } from "../../../../analysis/nearness.js";
import type { QueryMeaning } from "../../../../../queries/ports.js";
import type { VectorColumns } from "./vectorColumns.js";

/** Where a document's vectors stand. */
export interface VectorRange {
  readonly slot: number;
  readonly first: number;
  readonly end: number;
}

/** A document that means something like the query. */
export interface NearDocument {
  readonly slot: number;
  /** The cosine of its nearest passage. */
  readonly similarity: number;
  /** Where that passage stands in the document's text. */
  readonly passage: TextRange;
}

/** So many passages are compared whole, which takes 4 ms with 384 numbers; of more, those whose signs are nearest. */
const mostCompared = 10_000;
/** How many of them: a hundredth of them would do for the nearest 50 (docs/benchmarks.md). */
const preselected = 2_000;

/** The documents with the nearest passages from the least similarity on, best first; of equal ones the newer. */
export function nearestTo(
  { vector, leastSimilarity }: QueryMeaning,
  columns: VectorColumns,
  documents: readonly VectorRange[],
  most: number,
  limits = { mostCompared, preselected },
): readonly NearDocument[] {
  const passages = documents.reduce((sum, { first, end }) => sum + end - first, 0);
  const isCompared =
    passages <= limits.mostCompared ? null : nearBySigns(vector, columns, documents, limits.preselected);
  const found = new Nearest(most, leastSimilarity);
  for (const { slot, first, end } of documents) {
    for (let at = first; at < end; at++)
      if (isCompared === null || isCompared(at)) found.offer(slot, at, columns.cosine(at, vector));
  }
  return found.documents.map(({ slot, at, similarity }) => ({ slot, similarity, passage: columns.passageOf(at) }));
}

/** A document by the passage that is nearest so far. */
interface Offered {
  readonly slot: number;
  readonly at: number;
  readonly similarity: number;
}

/** Keeps so many of the nearest documents; those that are offered come document by document. */
class Nearest {
  /** The best first. */
  readonly documents: Offered[] = [];

  constructor(
    private readonly most: number,
    private least: number,
  ) {}

  offer(slot: number, at: number, similarity: number): void {
    if (similarity < this.least) return;
    const known = this.documents.findIndex((document) => document.slot === slot);
    if (known >= 0 && (this.documents[known]?.similarity ?? 0) >= similarity) return;
    if (known >= 0) this.documents.splice(known, 1);
    this.insert({ slot, at, similarity });
  }

  private insert(offered: Offered): void {
    const { documents } = this;
    let place = documents.length;
    while (place > 0 && isNearer(offered, documents[place - 1] as Offered)) place -= 1;
    documents.splice(place, 0, offered);
    if (documents.length > this.most) documents.pop();
    if (documents.length === this.most) this.least = Math.max(this.least, documents.at(-1)?.similarity ?? 0);
  }
}

/** Among passages that are equally near, the newer counts as nearer. */
const isNearer = (a: Offered, b: Offered): boolean =>
  a.similarity > b.similarity || (a.similarity === b.similarity && a.slot > b.slot);

/**
 * Tells which passages differ from the query in the fewest signs: so many at least, with all that differ in as many.
 */
function nearBySigns(
  query: Float32Array,
  columns: VectorColumns,
  documents: readonly VectorRange[],
  wanted: number,
): (at: number) => boolean {
  const signs = columns.signsOf(query);
  const distances = new Uint16Array(columns.size);
  const counts = new Uint32Array(columns.dimensions + 1);
  for (const { first, end } of documents) {
    for (let at = first; at < end; at++) {
      const distance = columns.distance(at, signs);
      distances[at] = distance;
      counts[distance] = (counts[distance] as number) + 1;
    }
  }
  let farthest = 0;
  for (let sum = counts[0] as number; sum < wanted && farthest < columns.dimensions; sum += counts[farthest] as number)
    farthest++;
  return (at) => (distances[at] as number) <= farthest;
}
