/**
 * Damerau-Levenshtein distance (optimal string alignment: insertions, deletions, substitutions, swaps of neighbours);
 * null where it exceeds `most`, which is at most 254. Takes length × (2 × most + 1) steps.
 */
export function distanceWithin(a: string, b: string, most: number): number | null {
  if (Math.abs(a.length - b.length) > most) return null;
  const tooFar = most + 1;
  let beforePrevious = new Uint8Array(b.length + 1);
  let previous = new Uint8Array(b.length + 1).map((_unused, j) => Math.min(j, tooFar));
  let row = new Uint8Array(b.length + 1);
  for (let i = 1; i <= a.length; i += 1) {
    row.fill(tooFar);
    row[0] = Math.min(i, tooFar);
    const from = Math.max(1, i - most);
    if (fillRow({ a, b, i, from, to: Math.min(b.length, i + most) }, row, previous, beforePrevious) > most) return null;
    [beforePrevious, previous, row] = [previous, row, beforePrevious];
  }
  const distance = at(previous, b.length);
  return distance > most ? null : distance;
}

interface Band {
  readonly a: string;
  readonly b: string;
  readonly i: number;
  readonly from: number;
  readonly to: number;
}

/** Fills the band of one row, and returns the least distance in the row. */
function fillRow(
  { a, b, i, from, to }: Band,
  row: Uint8Array,
  previous: Uint8Array,
  beforePrevious: Uint8Array,
): number {
  let least = at(row, 0);
  for (let j = from; j <= to; j += 1) {
    const substituted = at(previous, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
    const swapped = isSwap(a, b, i, j) ? at(beforePrevious, j - 2) + 1 : Infinity;
    row[j] = Math.min(substituted, at(previous, j) + 1, at(row, j - 1) + 1, swapped, 255);
    least = Math.min(least, at(row, j));
  }
  return least;
}

const at = (row: Uint8Array, index: number): number => row[index] as number;
const isSwap = (a: string, b: string, i: number, j: number): boolean =>
  i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
