/** How much of a known text was read (recall), and how much of what was read is of it (precision), word by word. */
export function wordScores(known: string, read: string): { readonly recall: number; readonly precision: number } {
  const [wanted, found] = [countsOf(known), countsOf(read)];
  let both = 0;
  for (const [word, count] of wanted) both += Math.min(count, found.get(word) ?? 0);
  return { recall: both / sum(wanted), precision: both / sum(found) };
}

function countsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [])
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((all, one) => all + one, 0);
