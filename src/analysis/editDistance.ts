/**
 * Damerau-Levenshtein distance (optimal string alignment: insertions, deletions, substitutions, swaps of neighbours),
 * null where it exceeds `most`. Costs length × (2 × most + 1) steps.
 */
export function distanceWithin(a: string, b: string, most: number): number | null {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > most) return null;
  const tooFar = most + 1;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_unused, j) => Math.min(j, tooFar));
  for (let i = 1; i <= a.length; i += 1) {
    const row = new Array<number>(b.length + 1).fill(tooFar);
    if (i <= most) row[0] = i;
    let least = row[0] as number;
    for (let j = Math.max(1, i - most); j <= Math.min(b.length, i + most); j += 1) {
      const substituted = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(substituted, (previous[j] as number) + 1, (row[j - 1] as number) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (beforePrevious[j - 2] as number) + 1);
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return null;
    beforePrevious = previous;
    previous = row;
  }
  const distance = previous[b.length] as number;
  return distance > most ? null : distance;
}
